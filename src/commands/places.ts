import type { ListPlace } from '../host/list/place.js';
import { placeName } from '../host/list/place.js';
import { listText } from '../host/text.js';

/** Several settings files, each once: a deployment of each of them may have been listed there. */
export function placeNames(places: readonly ListPlace[]): string {
  return listText([...new Set(places.map(placeName))]);
}
