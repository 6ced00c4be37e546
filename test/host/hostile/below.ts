import type { TreeElement } from '../../../src/model/tree/elements.js';
import type { DeploymentsProvider } from '../../../src/views/tree/provider.js';

/** Every row of the view, parents first. */
export function below(
  provider: Pick<DeploymentsProvider, 'getChildren'>,
  element?: TreeElement,
): readonly TreeElement[] {
  return provider.getChildren(element).flatMap((child) => [child, ...below(provider, child)]);
}
