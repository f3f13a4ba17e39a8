import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLUSTER, canRender, render, RENDERER, renderProdOf, renderUnsetProd } from './render.js';

const FILE = fileURLToPath(new URL('../../../../k8s/overlays/prod/cluster.env', import.meta.url));
const offered = [...readFileSync(FILE, 'utf8').matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);

describe.runIf(canRender)(`the overlay prod${RENDERER}`, () => {
  it('renders nothing as it is in the repository', () => {
    expect(() => renderUnsetProd()).toThrow(/fieldPath `data\.REGISTRY` is missing/);
  });

  it.each(Object.keys(CLUSTER))('renders nothing while %s is not set, and names it', (name) => {
    const others = Object.entries(CLUSTER).filter(([other]) => other !== name);
    expect(() => renderProdOf(Object.fromEntries(others))).toThrow(`fieldPath \`data.${name}\` is missing`);
  });

  it('offers exactly what it needs in cluster.env', () => {
    expect(offered).toEqual(Object.keys(CLUSTER));
  });

  it('puts what is set where it belongs, and applies no object for it', () => {
    const manifests = render('prod');
    const text = JSON.stringify(manifests);
    for (const value of Object.values(CLUSTER)) expect(text).toContain(value);
    const images = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => spec.template?.spec.containers.map(({ image }) => image) ?? []);
    expect(images).toHaveLength(5);
    expect(images.filter((image) => !/^registry\.test\/quarry\/[a-z-]+:\d+\.\d+\.\d+$/.test(image))).toEqual([]);
    expect(manifests.map(({ metadata }) => metadata.name)).not.toContain('cluster');
  });
});
