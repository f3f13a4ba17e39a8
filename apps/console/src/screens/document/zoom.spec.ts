import { expect, it } from 'vitest';
import { choosePictureWidth, changeZoomByStep } from './zoom.js';

it('changeZoomByStep returns the next larger or smaller zoom step, from 50 % to 300 %', () => {
  expect(changeZoomByStep(100, 1)).toBe(125);
  expect(changeZoomByStep(100, -1)).toBe(75);
  expect(changeZoomByStep(300, 1)).toBe(300);
  expect(changeZoomByStep(50, -1)).toBe(50);
});

it('choosePictureWidth returns the smallest picture width with at least one picture pixel per screen pixel, or else the greatest width', () => {
  expect(choosePictureWidth(700, 1)).toBe(800);
  expect(choosePictureWidth(700, 2)).toBe(1_600);
  expect(choosePictureWidth(3_000, 2)).toBe(2_400);
});
