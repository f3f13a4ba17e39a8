import { describe, expect, it } from 'vitest';
import { computePopupPosition } from './place-popup.js';

const VIEW = { width: 1_000, height: 800 };
const POPUP = { width: 200, height: 100 };

describe('the position of a popup', () => {
  it('a popup with the side `bottom` and the alignment `start` is below its trigger, and begins at the left edge of the trigger', () => {
    const trigger = { left: 100, top: 50, width: 40, height: 30 };
    expect(computePopupPosition(trigger, POPUP, VIEW, { side: 'bottom', align: 'start' })).toEqual({
      left: 100,
      top: 85,
    });
  });

  it('a popup with the side `bottom` appears above its trigger if the popup does not fit below and there is more room above', () => {
    const trigger = { left: 100, top: 760, width: 40, height: 30 };
    expect(computePopupPosition(trigger, POPUP, VIEW, { side: 'bottom', align: 'end' })).toEqual({ left: 8, top: 655 });
  });

  it('a popup stays in the window if its trigger is at the right edge of the window', () => {
    const trigger = { left: 980, top: 50, width: 20, height: 30 };
    expect(computePopupPosition(trigger, POPUP, VIEW, { side: 'bottom', align: 'start' }).left).toBe(792);
  });

  it('the top left corner of a popup stays in a window that is too small for the popup', () => {
    const trigger = { left: 10, top: 30, width: 20, height: 20 };
    const small = { width: 150, height: 90 };
    expect(computePopupPosition(trigger, POPUP, small, { side: 'top', align: 'center' })).toEqual({ left: 8, top: 8 });
  });
});
