import { stateIcon } from '../../host/icons.js';
import type { State } from '../../model/state.js';

/** Markdown with the icon of a state before it: the shape that the tree shows too. */
export function marked(state: State, markdown: string | undefined): string {
  return `$(${stateIcon(state).id}) ${markdown ?? ''}`;
}
