/** Text that would like to be more than text, one for each way that some surface knows of making it so. */
import { account, authorization, connection, requirement, type WireAuthorization } from './data.js';

export const livelyTexts: readonly string[] = [
  '[Repair now](command:workbench.action.closeWindow)',
  '[sign in again](https://phish.example/login "title")',
  '![](https://phish.example/p.png)',
  '<img src="https://phish.example/x.png" onerror=alert(1)>',
  '<a href="command:workbench.action.quit">quit</a>',
  '$(trash) $(sync~spin) \\$(zap)',
  'https://phish.example www.phish.example a@phish.example mailto:a@phish.example',
  'file:///etc/passwd vscode://file/etc/passwd command:workbench.action.quit',
  '&lt;b&gt; &#36;(zap) &dollar;(zap)',
  '`code` ``` ~~~ \\`',
  'first\nsecond\r\n# Urgent\n\n- item\n1. item\n> quote\n---',
  '\u0000\u0007\u001b[31mred\u007f\u0085',
  'pay\u202Egpj.exe\u202C \u2066isolated\u2069 \u200E\u200F',
  '\u200Bzero\u2060width\uFEFF \u2028 \u2029 \u{E0041}',
  '@everyone see #1 and GH-2 | a || b |',
  '_*bold*_ **bold** ~~gone~~ \\[x\\](command:y) [x]: command:y',
  '[ref] [ref]: https://phish.example <https://phish.example>',
  'half \ud800 a pair \udc00',
  '%5Bx%5D(command%3Ay) {{mustache}} ${env:HOME} <%= x %>',
  `long ${'x'.repeat(20_000)}`,
];

export function livelyAuthorization(text: string): WireAuthorization {
  return {
    ...authorization(
      [
        account({
          id: text,
          label: text,
          serviceId: `service ${text}`,
          serviceSub: text,
          connectionMethodId: text,
          scopes: [text, 'held'],
          checkedAt: text,
          error: { code: text, message: text },
          [text]: text,
        }),
        account({ id: 'acc_plain', label: `other ${text}` }),
      ],
      [
        requirement({
          serviceId: `service ${text}`,
          accountId: text,
          binding: text,
          satisfied: false,
          eligibleAccountIds: [text, 'acc_plain', `absent ${text}`],
          connections: [
            connection({
              connectionMethodId: text,
              minimalScopes: [text],
              requiredScopes: [text, 'missing'],
              [text]: 1,
            }),
          ],
          [text]: { [text]: text },
        }),
        requirement({
          serviceId: `service ${text}`,
          accountId: `absent ${text}`,
          binding: `own ${text}`,
          satisfied: false,
          eligibleAccountIds: ['acc_plain', `absent ${text}`],
        }),
      ],
    ),
    [text]: [text],
  };
}
