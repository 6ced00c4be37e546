/** The organization that `npm start` and the pictures show: every state worth seeing, under names that could be real. */
import * as wire from './data.js';
import { faults } from './faults.js';

const { account, authorization, connection, install, requirement } = wire;

export const sampleInstallTokens = {
  crm: '3f2b8c1e-5d4a-4e7b-9a6f-0c1d2e3f4a5b',
  sheets: '8a7d6c5b-4e3f-4a2b-8c1d-9e0f1a2b3c4d',
  enterprise: 'c0ffee00-1234-4abc-8def-567890abcdef',
} as const;

export const sampleApiKeyIds = [
  'key_7Qm2xT9bLw4Z',
  'key_Hs81VdPn03Rc',
  'key_zK5yBf6JtE2u',
] as const;

/** `expiresAt` and `checkedAt` are relative to now. */
export function sampleData(): wire.PlatformData {
  const now = Date.now();
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  return {
    deployments: new Map(samples(ago).flatMap(([id, , answer]) => (answer ? [[id, answer]] : []))),
    standing: [
      { target: { id: 'dep_payroll_export' }, fault: { status: 403 } },
      { target: { id: 'dep_legacy_bridge' }, fault: faults.html(200, 'Maintenance') },
    ],
    installs: new Map([
      // Half a minute more, so that a picture taken soon after the start says 46 whichever way it rounds.
      [sampleInstallTokens.crm, install({ label: 'Acme CRM', expiresAt: ago(-46.4) })],
      [
        sampleInstallTokens.sheets,
        install({
          label: 'Sheets',
          requiredPlan: 'free',
          serviceId: 'google-sheets',
          serviceName: 'Google Sheets',
          serviceSub: 'ops@acme.example',
          expiresAt: ago(120),
        }),
      ],
      [
        sampleInstallTokens.enterprise,
        install({
          label: 'Data lake',
          requiredPlan: 'enterprise',
          serviceId: 'snowflake',
          serviceName: 'Snowflake',
          serviceSub: 'acme-eu-1',
          expiresAt: ago(-3 * 24 * 60),
        }),
      ],
    ]),
    apiKeys: new Set(sampleApiKeyIds),
    tokens: new Map(),
  };
}

type Sample = readonly [
  id: string,
  label: string | undefined,
  answer: wire.WireAuthorization | undefined,
];

function samples(ago: (minutes: number) => string): readonly Sample[] {
  const slack = account({
    id: 'acc_slack_ops',
    label: 'Ops Slack',
    serviceSub: 'T01',
    checkedAt: ago(12),
  });
  const stripe = account({
    id: 'acc_stripe_live',
    label: 'Stripe live',
    serviceId: 'stripe',
    serviceSub: 'acct_1Kx0',
    connectionMethodId: 'stripe-key',
    scopes: ['charges:read', 'invoices:read'],
    checkedAt: ago(35),
  });
  const sheets = account({
    id: 'acc_sheets_finance',
    label: 'Finance Sheets',
    serviceId: 'google-sheets',
    serviceSub: 'finance@acme.example',
    connectionMethodId: 'google-oauth',
    scopes: ['spreadsheets', 'drive.readonly'],
    checkedAt: ago(20),
  });
  const crm = account({
    id: 'acc_hubspot_main',
    label: 'HubSpot main',
    serviceId: 'hubspot',
    serviceSub: 'portal-4711',
    connectionMethodId: 'hubspot-oauth',
    scopes: ['contacts', 'deals'],
    checkedAt: ago(8),
  });
  const financeSlack = account({
    id: 'acc_slack_finance',
    label: 'Finance Slack',
    serviceSub: 'T02',
    scopes: ['chat:write'],
    checkedAt: ago(3 * 60),
    error: { code: 'token_revoked', message: 'The workspace admin removed the app.' },
  });
  const partner = account({
    id: 'acc_partner',
    label: '$(pass) Partner **API** [sign in again](https://phish.example/login)',
    serviceId: 'partner\u202Eipa\u202C',
    serviceSub:
      '<img src="https://phish.example/x.png"> &lt;b&gt; www.phish.example a@phish.example',
    connectionMethodId: 'partner-key',
    scopes: ['feed:read', '`feed:write`', '$(trash)'],
    checkedAt: ago(50),
    error: {
      code: 'E_PARTNER | $(error)',
      message:
        '[Repair now](command:workbench.action.closeWindow) ![](https://phish.example/p.png)\n# Urgent\u0007\n@everyone see #1 ```',
    },
  });

  const notifier = requirement();
  const ledger = bound('ledger', stripe);
  const archive = bound('archive', sheets);
  const contacts = bound('contacts', crm);
  const warehouse = bound('warehouse', {
    serviceId: 'snowflake',
    connectionMethodId: 'snowflake-key',
    scopes: ['query', 'warehouse:use'],
  });
  const wanted = { ...partner, scopes: ['feed:read', '[feed:admin](https://phish.example)'] };
  const quit = bound('$(sync~spin) feed <a href="command:workbench.action.quit">quit</a>', wanted);
  const feed = { ...quit, satisfied: false };
  const unlisted = { ...archive, accountId: 'acc_sheets_legal' };
  const unsaid = { ...archive, satisfied: undefined };
  const eligible = ['acc_slack_finance', 'acc_slack_ops'];
  const failing = requirement({
    accountId: 'acc_slack_finance',
    satisfied: false,
    eligibleAccountIds: eligible,
  });
  const noAccount = {
    ...warehouse,
    accountId: undefined,
    satisfied: false,
    eligibleAccountIds: [],
  };

  const allFour = authorization(
    [slack, stripe, sheets, crm],
    [notifier, ledger, archive, contacts],
  );
  /** The one requirement that is not satisfied is bound to the account that failed, which also lacks the scope. */
  const withFinanceSlack = (scope: string) => {
    const post = bound('post', { ...financeSlack, scopes: ['chat:write', scope] });
    return authorization([financeSlack, crm], [{ ...post, satisfied: false }, contacts]);
  };

  const billingSync = authorization(
    [financeSlack, slack, stripe, sheets],
    [failing, ledger, archive],
  );
  const nightlyReport = authorization(
    [slack, stripe, { ...sheets, scopes: ['spreadsheets'] }, crm],
    [{ ...archive, satisfied: false }, noAccount, notifier, ledger, contacts],
  );
  /** Fields that docs/service.md does not know, at every depth. */
  const fleetAlerts = {
    ...authorization(
      [
        {
          ...slack,
          avatarUrl: 'https://cdn.acme.example/slack.png',
          quota: { used: 812, limit: 1000 },
        },
      ],
      [{ ...notifier, priority: 'high', connections: [connection({ region: 'eu' })] }],
    ),
    environment: 'production',
    revision: 42,
  };

  return [
    ['dep_billing_sync', 'Billing sync', billingSync],
    ['dep_nightly_report', 'Nightly report', nightlyReport],
    ['dep_lead_intake', 'Lead intake', allFour],
    ['dep_77', undefined, undefined],
    ['dep_payroll_export', 'Payroll export', allFour],
    ['dep_warehouse_sync', 'Warehouse sync', authorization([slack, stripe], [notifier, ledger])],
    ['dep_contract_archive', 'Contract archive', authorization([slack], [notifier, unlisted])],
    ['dep_invoice_ocr', 'Invoice OCR', authorization([sheets, stripe], [unsaid, ledger])],
    ['dep_partner_feed', 'Partner feed', authorization([partner, slack], [feed, notifier])],
    ['dep_legacy_bridge', 'Legacy bridge', allFour],
    ['dep_fleet_alerts', 'Fleet alerts', fleetAlerts],
    ['dep_support_triage', 'Support triage', authorization([slack, crm], [notifier, contacts])],
    ['dep_onboarding', 'Onboarding', authorization([crm, sheets], [contacts, archive])],
    ['dep_web_forms', undefined, authorization([], [])],
    ['dep_order_alerts', 'Order alerts', withFinanceSlack('channels:read')],
    ['dep_refund_notices', 'Refund notices', withFinanceSlack('users:read')],
    ['dep_shift_reminders', 'Shift reminders', withFinanceSlack('channels:read')],
  ];
}

function bound(binding: string, to: wire.WireAccount): wire.WireRequirement {
  const { serviceId = '', id = '', connectionMethodId = '', scopes = [] } = to;
  return requirement({
    serviceId,
    accountId: id,
    binding,
    eligibleAccountIds: [id],
    connections: [
      connection({ connectionMethodId, minimalScopes: scopes.slice(0, 1), requiredScopes: scopes }),
    ],
  });
}

export const sampleDeployments = samples(() => '').map(([id, label]) =>
  label === undefined ? id : { id, label },
);
