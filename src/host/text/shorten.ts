import { shorten as cut } from '../../model/inertText.js';

/** A value in a sentence or label: long ones are cut, the hover has them whole up to its bound. */
export function shorten(value: string, max = 80): string {
  return cut(value, max);
}
