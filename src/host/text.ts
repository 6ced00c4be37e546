/**
 * Facts to localized sentences with the next step: the only place that does it.
 *
 * Two kinds of function: a *word* or *summary* is short, for a row's description; a *sentence* says what happened, what it
 * probably means and what to do now. A sentence about a status starts with the status.
 *
 * The rule for foreign text: everything returned here is plain text, with values of the service and of the user in it as
 * they came, only shortened. Whoever puts it on a surface passes the *whole* text through that surface's inert function
 * (`model`), once, at the edge: Markdown, label, notification, quick pick. Nothing here is Markdown.
 */
export * from './text/cause.js';
export * from './text/connectionStep.js';
export * from './text/deployment.js';
export * from './text/failure.js';
export * from './text/format.js';
export * from './text/install.js';
export * from './text/organization.js';
export * from './text/problem.js';
export * from './text/reportWording.js';
export * from './text/revocation.js';
export * from './text/states.js';
export * from './text/step.js';
