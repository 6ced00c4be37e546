import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { readDeploymentArgument } from '../../../../src/model/entered/deploymentArgument.js';
import type { ListedDeployment } from '../../../../src/model/findings/deployment.js';

const listed: readonly ListedDeployment[] = [
  { id: 'dep_billing', label: 'Billing sync' },
  { id: 'dep_2' },
  { id: 'twin_us', label: 'Nightly sync' },
  { id: 'twin_eu', label: 'Nightly sync' },
  { id: 'dep_label', label: 'dep_2' },
  { id: 'my flow', label: 'Spaced' },
  { id: 'acme/orders', label: 'Orders' },
  { id: 'low', label: 'Case' },
  { id: 'up', label: 'CASE' },
  { id: 'prod' },
  { id: '42' },
  { id: 'b7e3a5c1-1111-4222-8333-0123456789ab' },
];
const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';

/** How the argument is read: "id dep_1", "several dep_1 dep_2", "noId". */
function reading(given: unknown): string {
  const answer = readDeploymentArgument(given, {
    listed,
    holdsToken: (text) => text.includes('tok_1'),
    holdsSecret: (text) => text.includes(uuid),
  });
  return [answer.kind, ...('id' in answer ? [answer.id] : answer.ids)].join(' ');
}

describe('the argument for a deployment', () => {
  for (const [what, given, expected] of [
    ['a listed ID', 'dep_billing', 'id dep_billing'],
    ['a listed ID between spaces', ' dep_billing\n', 'id dep_billing'],
    ['a listed ID that Add would warn of', 'my flow', 'id my flow'],
    ['a listed ID that is the label of another', 'dep_2', 'id dep_2'],
    ['an ID that is not listed', 'dep_9', 'id dep_9'],
    ['an ID that begins like a listed one', 'prod.billing', 'id prod.billing'],
    ['an ID in another script', '日本', 'id 日本'],
    ['a UUID', uuid.replace('f', 'e'), `id ${uuid.replace('f', 'e')}`],
    ['a label', 'Billing sync', 'id dep_billing'],
    ['a label in lower case', 'billing  SYNC', 'id dep_billing'],
    ['a label that another has in other letters', 'CASE', 'id up'],
    ['a label of two, in other letters', 'case', 'sharedLabel low up'],
    ['a label of two', 'Nightly sync', 'sharedLabel twin_us twin_eu'],
    ['a listed ID in other letters', 'DEP_Billing', 'otherForm dep_billing'],
    [
      'a URL of a listed one',
      'https://app.example/deployments/dep_billing',
      'otherForm dep_billing',
    ],
    [
      'a longer URL',
      'https://app.example/deployments/dep_billing/logs?tab=1#x',
      'otherForm dep_billing',
    ],
    ['a URL with a query', 'https://app.example/?deployment=dep_billing', 'otherForm dep_billing'],
    ['a path', '/deployments/dep_billing/authorization', 'otherForm dep_billing'],
    ['a URL of one that is not listed', 'https://app.example/deployments/dep_9', 'otherForm dep_9'],
    ['a URL without a path', 'https://app.example/', 'noId'],
    ['a URL with a UUID', `https://app.example/installs/${uuid.replace('f', 'e')}`, 'secret'],
    ['a code span', '`dep_billing`', 'otherForm dep_billing'],
    ['a code span with one that is not listed', '`dep_9`', 'otherForm dep_9'],
    ['quotes', '"dep_billing"', 'otherForm dep_billing'],
    ['a label in quotes', '“Billing sync”', 'otherForm dep_billing'],
    ['a shared label in quotes', '"Nightly sync"', 'several twin_us twin_eu'],
    ['bold text', '**dep_billing**', 'otherForm dep_billing'],
    ['emphasis', '__dep_billing__', 'otherForm dep_billing'],
    ['the end of a sentence', 'dep_billing.', 'otherForm dep_billing'],
    ['an ID with an invisible character', 'dep_\u200Bbilling', 'otherForm dep_billing'],
    ['a link', '[Billing sync](https://app.example/dep_billing)', 'otherForm dep_billing'],
    ['an ID that ends a sentence in quotes', '"dep_billing."', 'otherForm dep_billing'],
    ['a name with its ID, as rows have it', 'Nightly sync (twin_us)', 'otherForm twin_us'],
    ['an ID with its name', 'dep_billing (Billing sync)', 'otherForm dep_billing'],
    ['JSON', '{"deploymentId": "dep_billing"}', 'otherForm dep_billing'],
    ['an object', { id: 'dep_billing' }, 'otherForm dep_billing'],
    ['an array', ['dep_billing', 'dep_2'], 'several dep_billing dep_2'],
    ['a number', 42, 'otherForm 42'],
    ['a name and a value', 'deploymentId=dep_billing', 'otherForm dep_billing'],
    ['percent-encoding', 'Billing%20sync', 'otherForm dep_billing'],
    ['an ID with a slash in quotes', '"acme/orders"', 'otherForm acme/orders'],
    ['several IDs', 'dep_billing, dep_2', 'several dep_billing dep_2'],
    ['several IDs and words', 'dep_billing and dep_2', 'several dep_billing dep_2'],
    ['several that are not listed', 'dep_8,dep_9', 'noId'],
    ['a sentence', 'the billing deployment', 'noId'],
    ['a name with its owner', 'acme/flows', 'noId'],
    ['a reference of an issue tracker', 'acme/flows#123', 'noId'],
    [
      'a UUID in braces',
      '{b7e3a5c1-1111-4222-8333-0123456789ab}',
      'otherForm b7e3a5c1-1111-4222-8333-0123456789ab',
    ],
    [
      'a UUID in capitals',
      'B7E3A5C1-1111-4222-8333-0123456789AB',
      'otherForm b7e3a5c1-1111-4222-8333-0123456789ab',
    ],
    [
      'a UUID without hyphens',
      'b7e3a5c11111422283330123456789ab',
      'otherForm b7e3a5c1-1111-4222-8333-0123456789ab',
    ],
    [
      'a URN',
      'urn:uuid:B7E3A5C1-1111-4222-8333-0123456789ab',
      'otherForm b7e3a5c1-1111-4222-8333-0123456789ab',
    ],
    ['an object with another name', { deployment_id: 'dep_billing' }, 'otherForm dep_billing'],
    ['an object without a name', {}, 'noId'],
    ['a mention', '@dep_billing', 'otherForm dep_billing'],
    ['a variable of a tool', '@current', 'noId'],
    ['a number sign', '#1', 'noId'],
    ['a part', 'dep_…', 'noId'],
    ['a part with dots', 'dep_...', 'noId'],
    ['a pattern', 'dep_*', 'noId'],
    ['undefined', undefined, 'noId'],
    ['null', null, 'noId'],
    ['nothing', '', 'noId'],
    ['spaces', ' \n', 'noId'],
    ['the word undefined', 'undefined', 'noId'],
    ['the word null', 'NULL', 'noId'],
    ['the name of the parameter', 'deployment_id', 'noId'],
    ['words for an ID', 'your-deployment-id', 'noId'],
    ['a template', '${DEPLOYMENT_ID}', 'noId'],
    ['a template in braces', '{{deployment.id}}', 'noId'],
    ['a variable', '$DEPLOYMENT_ID', 'noId'],
    ['a placeholder', '<deployment-id>', 'noId'],
    ['dots', '..', 'noId'],
    ['control characters', 'dep\u00001', 'noId'],
    ['too much', 'x'.repeat(1001), 'noId'],
    ['a token', 'x tok_1', 'secret'],
    ['a token in an object', { token: 'tok_1' }, 'secret'],
    ['an install token', uuid, 'secret'],
    ['a token of another service', 'ghp_0123456789abcdefghijABCDEFGHIJ012345', 'secret'],
  ] as const) {
    const [kind] = expected.split(' ');
    it(`is read as ${kind} when it is ${what}`, () => {
      assert.equal(reading(given), expected);
    });
  }

  it('is never used when it is not listed and Add would ask about it', () => {
    const mark = fc.constantFrom(' ', '/', '\\', ',', '"', '`', '(', '<', '[', '{', '\n', '|', ';');
    fc.assert(
      fc.property(fc.string(), mark, fc.string(), (before, one, after) => {
        const text = `x${before}${one}${after}x`;
        assert.doesNotMatch(reading(text), /^id /, text);
      }),
    );
  });

  it('is answered only with listed IDs when it names one in another form', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...listed), fc.string(), (before, { id }, after) => {
        const [kind, ...ids] = reading(`${before} (${id}) ${after}`).split(' ');
        const known = new Set([...listed.map((one) => one.id), 'my', 'flow', '']);
        if (kind === 'otherForm')
          assert.deepEqual(
            ids.filter((one) => !known.has(one)),
            [],
          );
      }),
    );
  });

  for (const part of ['-', ' ', '"', '`', 'x,', '%', '(', 'https://']) {
    it(`is read in time when it repeats ${JSON.stringify(part)} 100,000 times`, () => {
      reading(`/${part.repeat(100_000)}`);
    });
  }

  it('is read in time when 100,000 spaces follow an ID', () => {
    assert.equal(reading(`dep_billing ${' '.repeat(100_000)}`), 'id dep_billing');
  });

  for (const part of ['a b," ', '.', 'dep_1999 ']) {
    it(`is compared in time with 2000 deployments when it is 1 MB of ${JSON.stringify(part)}`, () => {
      const many = Array.from({ length: 2000 }, (_, nth) => ({
        id: `dep_${nth}`,
        label: `Label ${nth}`,
      }));
      const options = { listed: many, holdsToken: () => false, holdsSecret: () => false };
      const given = part.repeat(1_000_000 / part.length);
      assert.notEqual(readDeploymentArgument(given, options).kind, 'id');
    });
  }
});
