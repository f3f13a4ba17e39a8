import { describe, expect, it } from 'vitest';
import { readChart } from './chart.js';
import { parseXml } from './xml.js';

const createPoints = (...values: readonly string[]): string =>
  values.map((value, index) => (value === '' ? '' : `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`)).join('');
const createTitle = (text: string): string => `<c:title><c:tx><c:rich><a:t>${text}</a:t></c:rich></c:tx></c:title>`;
const createChart = (kind: string, series: string, more = '', named = ''): ReturnType<typeof readChart> =>
  readChart(
    parseXml(
      `<c:chartSpace><c:chart>${named}<c:plotArea><c:${kind}>${series}</c:${kind}>${more}</c:plotArea></c:chart></c:chartSpace>`,
    ),
  );

describe('readChart', () => {
  it('readChart appends the titles of the axes to the title of the chart', () => {
    const axes = `<c:catAx>${createTitle('Year')}</c:catAx><c:valAx>${createTitle('Pieces')}</c:valAx>`;
    expect(createChart('bar3DChart', '', axes, createTitle('Ducks')).title).toBe('Bar chart: Ducks (Year; Pieces)');
    expect(createChart('lineChart', '', axes).title).toBe('Line chart (Year; Pieces)');
    expect(createChart('lineChart', '').title).toBe('Line chart');
  });

  it('readChart reads the title of a chart from the cell that the title references', () => {
    const referred = `<c:title><c:tx><c:strRef><c:strCache>${createPoints('Ducks')}</c:strCache></c:strRef></c:tx></c:title>`;
    expect(createChart('barChart', '', '', referred).title).toBe('Bar chart: Ducks');
  });

  it('readChart writes the name of each category after the name of its group, such as `FR Paris`', () => {
    const levels = `<c:lvl>${createPoints('Paris', 'Lyon', 'London')}</c:lvl><c:lvl>${createPoints('FR', '', 'UK')}</c:lvl>`;
    const series = `<c:ser><c:tx><c:v>Shops</c:v></c:tx><c:cat><c:multiLvlStrRef>${levels}</c:multiLvlStrRef></c:cat><c:val>${createPoints('3', '4', '5')}</c:val></c:ser>`;
    expect(createChart('barChart', series).rows).toEqual([
      ['', 'Shops'],
      ['FR Paris', '3'],
      ['FR Lyon', '4'],
      ['UK London', '5'],
    ]);
  });

  it('readChart writes a value with a date format as an ISO 8601 date, and a value with a percent format as a percentage', () => {
    const createCache = (format: string, points: string): string =>
      `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points}</c:numCache></c:numRef>`;
    const dates = createCache('m/d/yyyy', createPoints('45292', '45323'));
    const own = '<c:pt idx="1" formatCode="0.00"><c:v>0.5</c:v></c:pt>';
    const series = `<c:ser><c:tx><c:v>Share</c:v></c:tx><c:cat>${dates}</c:cat><c:val>${createCache('0%', createPoints('0.25') + own)}</c:val></c:ser>`;
    expect(createChart('lineChart', series).rows).toEqual([
      ['', 'Share'],
      ['2024-01-01', '25%'],
      ['2024-02-01', '0.5'],
    ]);
    const chart = `<c:chartSpace><c:date1904 val="1"/><c:ser><c:cat>${createCache('m/d/yyyy', createPoints('43830'))}</c:cat></c:ser></c:chartSpace>`;
    expect(readChart(parseXml(chart)).rows).toEqual([
      ['', ''],
      ['2024-01-01', ''],
    ]);
  });

  it('readChart reads the sizes of bubbles as a separate column of the table', () => {
    const series = `<c:ser><c:tx><c:v>Shops</c:v></c:tx><c:xVal>${createPoints('1')}</c:xVal><c:yVal>${createPoints('2')}</c:yVal><c:bubbleSize>${createPoints('9')}</c:bubbleSize></c:ser>`;
    expect(createChart('bubbleChart', series).rows).toEqual([
      ['', 'Shops', 'Shops (size)'],
      ['1', '2', '9'],
    ]);
  });
});
