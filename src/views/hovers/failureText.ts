import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import type { Organization } from '../../host/organizations/organization.js';
import { absoluteTime, failureExcerpt, failureSentence, sentences } from '../../host/text.js';

/** A failed read in full: when, what it means, what to do, and what came with it. */
export function failureText(failure: Failure, at: number | undefined, organization: Organization | undefined): string {
  return sentences(
    failureSentence(failure, { operation: 'authorization', ...(organization && { organization }) }),
    at === undefined ? undefined : vscode.l10n.t('Tried on {time}.', { time: absoluteTime(at) }),
    failureExcerpt(failure),
  );
}
