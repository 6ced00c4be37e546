/** The organization that `npm start` and the pictures show: every state worth seeing, under names that could be real. */
import {
  account,
  authorization,
  connection,
  emptyData,
  install,
  requirement,
  type ServiceData,
  type WireAccount,
  type WireAuthorization,
  type WireRequirement,
} from './data.js';

export const sampleInstallTokens = {
  /** 46 minutes left, plan pro. */
  crm: '3f2b8c1e-5d4a-4e7b-9a6f-0c1d2e3f4a5b',
  /** Lapsed two hours ago, plan free. */
  sheets: '8a7d6c5b-4e3f-4a2b-8c1d-9e0f1a2b3c4d',
  /** A plan that docs/service.md does not know. */
  enterprise: 'c0ffee00-1234-4abc-8def-567890abcdef',
} as const;

export const sampleApiKeyIds = ['key_7Qm2xT9bLw4Z', 'key_Hs81VdPn03Rc', 'key_zK5yBf6JtE2u'] as const;

/** `expiresAt` and `checkedAt` are relative to `now`. */
export function sampleData(now: Date = new Date()): ServiceData {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
  return {
    ...emptyData(),
    deployments: new Map(samples(ago).flatMap(([id, , answer]) => (answer ? [[id, answer]] : []))),
    standing: [
      { target: { id: 'dep_payroll_export' }, fault: { status: 403 } },
      { target: { id: 'dep_warehouse_sync' }, fault: { latency: 2000 } },
      {
        target: { id: 'dep_legacy_bridge' },
        fault: {
          body: '<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>\n',
          headers: { 'content-type': 'text/html; charset=utf-8' },
        },
      },
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
  };
}

type Ago = (minutes: number) => string;

/** Id, label, answer. */
type Sample = readonly [string, string | undefined, WireAuthorization | undefined];

function samples(ago: Ago): readonly Sample[] {
  const allFour = authorization(
    [slack(ago), stripe(ago), sheets(ago), crm(ago)],
    [notifier(), ledger(), archive(), contacts()],
  );
  const unlisted = { ...archive(), accountId: 'acc_sheets_legal' };
  const unsaid = { ...archive(), satisfied: undefined };
  return [
    ['dep_billing_sync', 'Billing sync', billingSync(ago)],
    ['dep_nightly_report', 'Nightly report', nightlyReport(ago)],
    ['dep_lead_intake', 'Lead intake', allFour],
    ['dep_77', undefined, undefined],
    ['dep_payroll_export', 'Payroll export', allFour],
    // Nothing wrong, but two seconds to wait for.
    ['dep_warehouse_sync', 'Warehouse sync', authorization([slack(ago), stripe(ago)], [notifier(), ledger()])],
    // Satisfied, with an account that the answer does not list.
    ['dep_contract_archive', 'Contract archive', authorization([slack(ago)], [notifier(), unlisted])],
    // Of one requirement the service does not say whether it is met.
    ['dep_invoice_ocr', 'Invoice OCR', authorization([sheets(ago), stripe(ago)], [unsaid, ledger()])],
    ['dep_partner_feed', 'Partner feed', partnerFeed(ago)],
    ['dep_legacy_bridge', 'Legacy bridge', allFour],
    ['dep_fleet_alerts', 'Fleet alerts', fleetAlerts(ago)],
    ['dep_support_triage', 'Support triage', authorization([slack(ago), crm(ago)], [notifier(), contacts()])],
    ['dep_onboarding', 'Onboarding', authorization([crm(ago), sheets(ago)], [contacts(), archive()])],
    ['dep_web_forms', undefined, authorization([], [])],
    // Broken by the account that breaks Billing sync.
    ['dep_order_alerts', 'Order alerts', withFinanceSlack(ago, 'channels:read')],
    ['dep_refund_notices', 'Refund notices', withFinanceSlack(ago, 'users:read')],
    ['dep_shift_reminders', 'Shift reminders', withFinanceSlack(ago, 'channels:read')],
  ];
}

const slack = (ago: Ago) => account({ id: 'acc_slack_ops', label: 'Ops Slack', serviceSub: 'T01', checkedAt: ago(12) });
const stripe = (ago: Ago) =>
  account({
    id: 'acc_stripe_live',
    label: 'Stripe live',
    serviceId: 'stripe',
    serviceSub: 'acct_1Kx0',
    connectionMethodId: 'stripe-key',
    scopes: ['charges:read', 'invoices:read'],
    checkedAt: ago(35),
  });
const sheets = (ago: Ago) =>
  account({
    id: 'acc_sheets_finance',
    label: 'Finance Sheets',
    serviceId: 'google-sheets',
    serviceSub: 'finance@acme.example',
    connectionMethodId: 'google-oauth',
    scopes: ['spreadsheets', 'drive.readonly'],
    checkedAt: ago(20),
  });
const crm = (ago: Ago) =>
  account({
    id: 'acc_hubspot_main',
    label: 'HubSpot main',
    serviceId: 'hubspot',
    serviceSub: 'portal-4711',
    connectionMethodId: 'hubspot-oauth',
    scopes: ['contacts', 'deals'],
    checkedAt: ago(8),
  });

/** A satisfied requirement that is bound to an account with all its scopes, of which the first is the minimum. */
function bound(binding: string, to: WireAccount): WireRequirement {
  const { serviceId = '', id = '', connectionMethodId = '', scopes = [] } = to;
  return requirement({
    serviceId,
    accountId: id,
    binding,
    eligibleAccountIds: [id],
    connections: [connection({ connectionMethodId, minimalScopes: scopes.slice(0, 1), requiredScopes: scopes })],
  });
}

const anyTime: Ago = () => '';
const notifier = requirement;
const ledger = () => bound('ledger', stripe(anyTime));
const archive = () => bound('archive', sheets(anyTime));
const contacts = () => bound('contacts', crm(anyTime));

const financeSlack = (ago: Ago) =>
  account({
    id: 'acc_slack_finance',
    label: 'Finance Slack',
    serviceSub: 'T02',
    scopes: ['chat:write'],
    checkedAt: ago(3 * 60),
    error: { code: 'token_revoked', message: 'The workspace admin removed the app.' },
  });

/** Its one requirement is bound to the account that failed, which also lacks a scope. */
function withFinanceSlack(ago: Ago, scope: string): WireAuthorization {
  const post = bound('post', { ...financeSlack(ago), scopes: ['chat:write', scope] });
  return authorization([financeSlack(ago), crm(ago)], [{ ...post, satisfied: false }, contacts()]);
}

/** One account failed, one of three not satisfied. */
function billingSync(ago: Ago): WireAuthorization {
  const eligibleAccountIds = ['acc_slack_finance', 'acc_slack_ops'];
  return authorization(
    [financeSlack(ago), slack(ago), stripe(ago), sheets(ago)],
    [notifier({ accountId: 'acc_slack_finance', satisfied: false, eligibleAccountIds }), ledger(), archive()],
  );
}

/** Two of five not satisfied: one lacks a scope, one has no account to go with it. */
function nightlyReport(ago: Ago): WireAuthorization {
  const scopes = ['query', 'warehouse:use'];
  const warehouse = {
    ...bound('warehouse', { serviceId: 'snowflake', connectionMethodId: 'snowflake-key', scopes }),
    accountId: undefined,
    satisfied: false,
    eligibleAccountIds: [],
  };
  return authorization(
    [slack(ago), stripe(ago), { ...sheets(ago), scopes: ['spreadsheets'] }, crm(ago)],
    [{ ...archive(), satisfied: false }, warehouse, notifier(), ledger(), contacts()],
  );
}

/** Text that would like to be more than text. */
function partnerFeed(ago: Ago): WireAuthorization {
  const partner = account({
    id: 'acc_partner',
    label: '$(pass) Partner **API** [sign in again](https://phish.example/login)',
    serviceId: 'partner\u202Eipa\u202C',
    serviceSub: '<img src="https://phish.example/x.png"> &lt;b&gt; www.phish.example a@phish.example',
    connectionMethodId: 'partner-key',
    scopes: ['feed:read', '`feed:write`', '$(trash)'],
    checkedAt: ago(50),
    error: {
      code: 'E_PARTNER | $(error)',
      message:
        '[Repair now](command:workbench.action.closeWindow) ![](https://phish.example/p.png)\n# Urgent\u0007\n@everyone see #1 ```',
    },
  });
  const binding = '$(sync~spin) feed <a href="command:workbench.action.quit">quit</a>';
  const feed = bound(binding, { ...partner, scopes: ['feed:read', '[feed:admin](https://phish.example)'] });
  return authorization([partner, slack(ago)], [{ ...feed, satisfied: false }, notifier()]);
}

/** Fields that docs/service.md does not know, at every depth. */
function fleetAlerts(ago: Ago): WireAuthorization {
  return {
    ...authorization(
      [{ ...slack(ago), avatarUrl: 'https://cdn.acme.example/slack.png', quota: { used: 812, limit: 1000 } }],
      [{ ...notifier(), priority: 'high', connections: [connection({ region: 'eu' })] }],
    ),
    environment: 'production',
    revision: 42,
  };
}

/** The value of `automationPlatform.deployments` in the sample workspace. */
export const sampleDeployments: readonly (string | { id: string; label: string })[] = samples(anyTime).map(
  ([id, label]) => (label === undefined ? id : { id, label }),
);
