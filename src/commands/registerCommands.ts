import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../host/ids.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';
import type { CommandName } from './commandBodies.js';
import type { CommandArguments } from './rows.js';

/* oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.entries` forgets which names there are. */
const allIds = Object.entries({ ...commandIds, ...internalCommandIds }) as [CommandName, string][];

/**
 * Every command, each with its errors shown in the one place that does so. `selected` gives the rows selected in the view that
 * has the focus: a keybinding hands over no row, and the tree is the views' own.
 */
export function registerCommands(services: Services, selected: () => readonly unknown[] = () => []): vscode.Disposable {
  const bodies = lazy(async () => (await import('./commandBodies.js')).commandBodies(services, selected));
  const register = ([name, id]: [CommandName, string]): vscode.Disposable => {
    const run = async (...args: CommandArguments): Promise<unknown> => (await bodies())[name](...args);
    return vscode.commands.registerCommand(id, showErrors(services.log, run));
  };
  return vscode.Disposable.from(...allIds.map(register));
}
