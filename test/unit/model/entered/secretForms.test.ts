import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { candidatesIn } from '../../../../src/model/entered/candidates.js';
import { looksSecret } from '../../../../src/model/entered/secretForms.js';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const letters = lower + upper;
const base62 = letters + digits;
const hex = `${digits}abcdef`;

function characters(alphabet: string, length: number): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(...alphabet.split('')),
    minLength: length,
    maxLength: length,
  });
}

/** Prefix, alphabet, and length as their issuers document them or as their tokens have them. */
const tokens: readonly (readonly [
  issuer: string,
  prefix: string,
  alphabet: string,
  length: number,
])[] = [
  ['GitHub, classic', 'ghp_', base62, 36],
  ['GitHub, OAuth', 'gho_', base62, 36],
  ['GitHub, app for a user', 'ghu_', base62, 36],
  ['GitHub, app', 'ghs_', base62, 36],
  ['GitHub, refresh', 'ghr_', base62, 36],
  ['GitHub, fine-grained', 'github_pat_', `${base62}_`, 82],
  ['GitLab', 'glpat-', `${base62}-_`, 20],
  ['GitLab, runner', 'glrt-', `${base62}-_`, 20],
  ['GitLab, deploy', 'gldt-', `${base62}-_`, 20],
  ['Slack, bot', 'xoxb-', `${digits}-`, 30],
  ['Slack, user', 'xoxp-', `${base62}-`, 60],
  ['Slack, app', 'xapp-1-', `${upper}${digits}-`, 40],
  ['AWS, user', 'AKIA', upper + digits, 16],
  ['AWS, session', 'ASIA', upper + digits, 16],
  ['Stripe, live', 'sk_live_', base62, 24],
  ['Stripe, restricted', 'rk_live_', base62, 24],
  ['Stripe, test', 'sk_test_', base62, 24],
  ['Google, API key', 'AIza', `${base62}-_`, 35],
  ['Google, OAuth', 'ya29.', `${base62}-_`, 60],
  ['npm', 'npm_', base62, 36],
  ['PyPI', 'pypi-AgEIcHlwaS5vcmc', `${base62}-_`, 60],
  ['Docker Hub', 'dckr_pat_', `${base62}-_`, 27],
  ['Hugging Face', 'hf_', letters, 34],
  ['OpenAI', 'sk-', base62, 48],
  ['OpenAI, project', 'sk-proj-aA0', `${base62}-_`, 60],
  ['Anthropic', 'sk-ant-api03-', `${base62}-_`, 80],
  ['DigitalOcean', 'dop_v1_', hex, 64],
  ['Databricks', 'dapi', hex, 32],
  ['SendGrid', 'SG.abcdefghijklmnopqrstuv.', `${base62}-_`, 43],
  ['Vault', 'hvs.', `${base62}-_`, 24],
  ['Shopify', 'shpat_', hex, 32],
  ['Linear', 'lin_api_', base62, 40],
  ['Twilio', 'SK', hex, 32],
  ['Mailgun', 'key-', hex, 32],
  ['Telegram', '123456789:AA', `${base62}-_`, 33],
  ['Grafana', 'glsa_', base62, 32],
  ['JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.', `${base62}-_`, 43],
  ['Supabase', 'sbp_', hex, 40],
  ['Stripe, webhook', 'whsec_', base62, 32],
];

/** Where a token stands in a text. */
const places: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `"${token}",`,
  (token) => `X=${token}`,
  (token) => `https://${token}@host.example/x`,
  (token) => `https://host.example/x/${token}`,
  (token) => `https://host.example/${token}/x`,
  (token) => `(${token})`,
  (token) => `{${token}}`,
  (token) => `x:${token};`,
];

const offered = (text: string) => candidatesIn(text, [], (one) => one).found.map(({ id }) => id);

describe('a well-known token', () => {
  for (const [issuer, prefix, alphabet, length] of tokens) {
    const anyPlaced = fc
      .tuple(characters(alphabet, length), fc.constantFrom(...places))
      .map(([end, placed]) => placed(prefix + end));

    it(`is never offered as an ID when it is of ${issuer}`, () => {
      const property = fc.property(anyPlaced, (text) => {
        assert.deepEqual(offered(`dep_1 ${text} dep_2`), ['dep_1', 'dep_2'], text);
      });
      fc.assert(property, { numRuns: 50 });
    });

    it(`looks secret when it is of ${issuer}`, () => {
      const property = fc.property(anyPlaced, (text) => {
        assert.equal(looksSecret(text), true, text);
      });
      fc.assert(property, { numRuns: 50 });
    });
  }
});

describe('a word with a password in front of a host', () => {
  for (const word of [
    'https://user:pa55@host/x',
    'postgres://user:pa55@host:5432/db',
    'redis://:pa55@host',
    'amqp://user:p@55@host',
    'jdbc:mysql://user:pa55@host/db',
    'DATABASE_URL=postgres://user:pa55@host/db',
    'user:pa55@host',
    'url=https://123:321@127.0.0.1',
  ]) {
    it(`looks secret: ${word}`, () => assert.equal(looksSecret(word), true));
  }
});

describe('an ID unlike a token', () => {
  for (const word of [
    'dep_7f3a91c2',
    'prod.billing',
    'acme/orders',
    '0a1b2c3d-0000-4000-8000-00000000000f',
    'sk_nightly',
    'sk_life_insurance_sync',
    'sk-nightly-billing-sync-eu-west-production',
    'sk-admin-dashboard-refresh-nightly',
    'pypi-release-publish-nightly',
    'npm_publish_nightly_packages_to_mirror',
    'hf_customer_onboarding',
    'ghost_writer',
    'glue-orders-nightly-eu-west-1',
    'AKIA',
    'key-account-sync',
    'secret_santa',
    'desk_live_chat',
    'task-proj-A1b2c3d4e5f6',
    'user@host',
    'git@github.com:acme/orders',
    'https://localhost:3000/@scope/orders',
    'https://dash.example:8443/deployments/dep_1',
    'ns:dep_1',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ]) {
    it(`looks harmless: ${word}`, () => assert.equal(looksSecret(word), false));
  }

  it('is offered when it consists of letters, digits, and separators', () => {
    const part = fc.string({
      unit: fc.constantFrom(...(lower + digits).split('')),
      minLength: 1,
      maxLength: 12,
    });
    const id = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .chain((parts) =>
        fc
          .constantFrom('_', '-', '.', '/')
          .map((separator) => `dep${separator}${parts.join(separator)}`),
      );
    fc.assert(fc.property(id, (one) => assert.deepEqual(offered(one), [one])));
  });
});
