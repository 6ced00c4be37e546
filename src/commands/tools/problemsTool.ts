import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import { causeWords } from '../../host/text/cause.js';
import { problemsResult } from '../../model/toolResult.js';
import { currentQuestion, redactedOwner, type Tool } from './tool.js';

/** Tells a language model what is broken, so that it needs no ID to begin with. It gives what is known and sends nothing. */
export function problemsTool(services: Services): Tool {
  return {
    progress: vscode.l10n.t('Listing problems'),
    title: vscode.l10n.t('List the problems of your deployments?'),
    items: 50,
    ask: () =>
      currentQuestion(
        services,
        (asked) =>
          vscode.l10n.t('Problems in organization {name} ({host}) as they were last read. No request is sent.', asked),
        async (organization) => {
          const { deploymentList, log, store } = services;
          const cause = store.cause ?? (deploymentList.untrusted && ({ kind: 'untrusted' } as const));
          return problemsResult(store.deployments, {
            now: Date.now(),
            redact: (text) => log.redact(text),
            ownerOf: redactedOwner(services),
            ...(cause && { error: causeWords(cause, organization).sentence }),
          });
        },
      ),
  };
}
