import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeDeploymentAuthorization } from '../../../../src/api/authorization.js';
import { DecodeIssues } from '../../../../src/api/decode.js';
import {
  type MuteEntry,
  type MuteSubject,
  readMuteEntries,
  toJson,
} from '../../../../src/model/entered/muteEntries.js';
import { type Deployment, withFindings } from '../../../../src/model/findings/deployment.js';
import { MutesForEveryone, muteSubjectOf } from '../../../../src/model/problems/mutes.js';
import { answerOf } from '../../../support/answers.js';
import { anyAuthorization } from '../tree/trees.js';

const now = Date.UTC(2026, 10, 25, 12);
const rest = { since: '2026-11-25', until: '2026-12-31', reason: 'App review' };
/** The first millisecond after the last day of `rest`. */
const end = Date.UTC(2027, 0, 1);

type Json = Readonly<Record<string, unknown>>;

/** Reads an entry as it stands in the setting. */
function entryOf(fields: object): MuteEntry {
  const value = [{ ...rest, ...fields }];
  const { entries, malformed } = readMuteEntries(value, { now, hasToken: () => false });
  assert.deepEqual(malformed, []);
  return entries[0]!.entry;
}

const entryAbout = (subject: MuteSubject) => entryOf(toJson({ subject, ...rest }));
const ofAccount = (error = 'revoked', more: Json = {}) =>
  entryOf({ account: 'acc', error, ...more });
const ofRequirement = (missing: readonly string[] = [], more: Json = {}) =>
  entryOf({ deployment: 'dep', requirement: 'notifier', missing, ...more });

const inWorkspace = (...entries: readonly MuteEntry[]) =>
  new MutesForEveryone([{ entries, deploymentIds: undefined }]);

/** A deployment whose last answer is this JSON. */
function deploymentOf(json: unknown, id = 'dep'): Deployment {
  const issues = new DecodeIssues();
  const value = decodeDeploymentAuthorization(json, issues);
  assert.ok(value);
  const answer = withFindings(answerOf(value, { decodeIssues: issues.list }), id);
  return { id, name: id, state: 'satisfied', activity: 'idle', answer };
}

/** An answer with one account, with these fields beside its ID. */
const account = (fields: Json = {}): Json => ({
  accounts: [{ id: 'acc', ...fields }],
  requirements: [],
});
const failed = (error: unknown = { code: 'revoked' }) => account({ error });

const needs = (...requiredScopes: readonly unknown[]) => [
  { connectionMethodId: 'oauth', requiredScopes },
];
/** A requirement that is not satisfied. Its account was granted no scope. */
const requirement = (fields: Json = {}): Json => ({
  binding: 'notifier',
  accountId: 'acc',
  satisfied: false,
  ...fields,
});
const works: Json = { id: 'acc', connectionMethodId: 'oauth', scopes: [] };
const unsatisfied = (fields: Json = {}): Json => ({
  accounts: [works],
  requirements: [requirement(fields)],
});
const lacking = (...scopes: readonly string[]) => unsatisfied({ connections: needs(...scopes) });

/** The names of the problems of a deployment that one of the entries mutes. */
function muted(mutes: MutesForEveryone, deployment: Deployment, at = now): string {
  const problems = deployment.answer?.findings.problems ?? [];
  const mutedProblems = problems.filter((problem) => mutes.entryFor(problem, at) !== undefined);
  return mutedProblems.map(({ finding }) => finding.name).join(' ');
}

/** What becomes of one entry in these deployments. */
function stateIn(entry: MuteEntry, deployments: readonly Deployment[], at = now) {
  return inWorkspace(entry).statesIn(deployments, at).get(entry);
}

/** Returns whether the only problem of a deployment counts because it has changed. */
function hasChanged(mutes: MutesForEveryone, deployment: Deployment, at = now): boolean {
  const [problem] = deployment.answer!.findings.problems;
  return mutes.hasChangedSinceMuted(problem!, at);
}

describe('an entry of an account', () => {
  for (const [what, code, json] of [
    ['its error', 'revoked', failed()],
    ['an error whose message is unreadable', 'revoked', failed({ code: 'revoked', message: 5 })],
    ['an error without a code', '', failed({})],
    ['an error whose code is empty', '', failed({ code: '' })],
  ] as const) {
    it(`mutes the account with ${what}`, () => {
      assert.equal(muted(inWorkspace(ofAccount(code)), deploymentOf(json)), 'acc');
    });
  }

  for (const [what, code, json] of [
    ['another error', 'revoked', failed({ code: 'expired' })],
    ['an error in other letters', 'revoked', failed({ code: 'Revoked' })],
    ['an error without a code', 'revoked', failed({})],
    ['an error with a code', '', failed()],
    ['an unreadable code', 'revoked', failed({ code: 5 })],
    ['an unreadable code in place of none', '', failed({ code: null })],
  ] as const) {
    it(`does not mute the account with ${what}`, () => {
      assert.equal(muted(inWorkspace(ofAccount(code)), deploymentOf(json)), '');
    });
  }

  for (const [what, id] of [
    ['another ID', 'acc_2'],
    ['no ID', undefined],
    ['an empty ID', ''],
    ['an unreadable ID', 5],
  ] as const) {
    it(`does not mute an account with ${what}`, () => {
      const deployment = deploymentOf(account({ id, label: 'acc', error: { code: 'revoked' } }));
      assert.equal(muted(inWorkspace(ofAccount()), deployment), '');
    });
  }

  for (const codes of [
    ['revoked', 'expired'],
    ['expired', 'revoked'],
  ]) {
    it(`does not mute an account that an answer has twice, with ${codes.join(' and ')}`, () => {
      const accounts = codes.map((code) => ({ id: 'acc', error: { code } }));
      const deployment = deploymentOf({ accounts, requirements: [] });
      assert.equal(muted(inWorkspace(ofAccount()), deployment), '');
    });
  }

  it('mutes an account that an answer has twice with the same error', () => {
    const double = { id: 'acc', error: { code: 'revoked' } };
    const deployment = deploymentOf({ accounts: [double, double, works], requirements: [] });
    assert.equal(muted(inWorkspace(ofAccount()), deployment), 'acc');
  });

  it('mutes the account in every deployment', () => {
    const mutes = inWorkspace(ofAccount());
    assert.equal(muted(mutes, deploymentOf(failed(), 'another')), 'acc');
  });

  it('lasts to the last millisecond of its last day in UTC', () => {
    assert.equal(muted(inWorkspace(ofAccount()), deploymentOf(failed()), end - 1), 'acc');
  });

  it('has ended when the next day begins in UTC', () => {
    assert.equal(muted(inWorkspace(ofAccount()), deploymentOf(failed()), end), '');
  });

  it('mutes no requirement with the name of the account', () => {
    const deployment = deploymentOf(unsatisfied({ binding: 'acc' }));
    assert.equal(muted(inWorkspace(ofAccount('')), deployment), '');
  });
});

/** Answers of which a part is unreadable on which the missing scopes depend. */
const withUnreadableScopes: readonly (readonly [what: string, json: Json])[] = [
  ['the account to which it is bound', unsatisfied({ accountId: 5 })],
  ['its connections', unsatisfied({ connections: 5 })],
  ['one of its connections', unsatisfied({ connections: [5, ...needs()] })],
  ['a required scope', unsatisfied({ connections: needs(5) })],
  [
    'a required connection method',
    unsatisfied({ connections: [{ connectionMethodId: 5, requiredScopes: ['a'] }] }),
  ],
  ...(
    [
      ['the scopes of its account', [{ ...works, scopes: 5 }]],
      ['one scope of its account', [{ ...works, scopes: [5] }]],
      ['the connection method of its account', [{ ...works, connectionMethodId: 5 }]],
      ['the ID of its account', [{ ...works, id: 5 }]],
      ['its account', [5]],
      ['the list of accounts', 5],
      ['the absent list of accounts', undefined],
    ] as const
  ).map(([what, accounts]): [string, Json] => [
    what,
    { accounts, requirements: [requirement({ connections: needs('a') })] },
  ]),
];

/** Answers in which another requirement has, or may have, the same name. */
const withAmbiguousName: readonly (readonly [what: string, json: Json])[] = (
  [
    ['another has its name', [requirement()]],
    ['another has its name with another service', [requirement({ serviceId: 'slack' })]],
    ['a satisfied one has its name', [requirement({ satisfied: true })]],
    ['the name of another is unreadable', [requirement({ binding: 5 })]],
    ['another is unreadable', [5]],
  ] as const
).map(([what, others]) => [what, { accounts: [works], requirements: [requirement(), ...others] }]);

describe('an entry of a requirement', () => {
  for (const [what, missing, json] of [
    ['its missing scopes', ['a', 'b'], lacking('a', 'b')],
    ['its missing scopes in another order', ['b', 'a'], lacking('a', 'b')],
    ['its missing scopes, one of them twice', ['a', 'a', 'b'], lacking('b', 'a', 'b')],
    ['no missing scopes', [], unsatisfied()],
    ['no account', [], unsatisfied({ accountId: undefined })],
    ['an account that the answer does not have', [], unsatisfied({ accountId: 'gone' })],
    ['an account beside an unreadable one', [], { ...unsatisfied(), accounts: [works, 5] }],
    [
      'no account beside an unreadable one',
      [],
      { ...unsatisfied({ accountId: undefined }), accounts: [5] },
    ],
  ] as const) {
    it(`mutes the requirement with ${what}`, () => {
      const mutes = inWorkspace(ofRequirement(missing));
      assert.equal(muted(mutes, deploymentOf(json)), 'notifier');
    });
  }

  for (const [what, missing, json] of [
    ['another missing scope', ['a'], lacking('b')],
    ['one missing scope more', ['a'], lacking('a', 'b')],
    ['one missing scope less', ['a', 'b'], lacking('a')],
    ['missing scopes in place of none', [], lacking('a')],
    ['no missing scopes any more', ['a'], unsatisfied()],
    ['another name', [], unsatisfied({ binding: 'sync' })],
    [
      'a service in place of a name',
      [],
      unsatisfied({ binding: undefined, serviceId: 'notifier' }),
    ],
    ['an unreadable name', [], unsatisfied({ binding: 5, serviceId: 'notifier' })],
  ] as const) {
    it(`does not mute a requirement with ${what}`, () => {
      assert.equal(muted(inWorkspace(ofRequirement(missing)), deploymentOf(json)), '');
    });
  }

  for (const [what, json] of withUnreadableScopes) {
    it(`mutes nothing when ${what} is unreadable`, () => {
      const mutes = inWorkspace(ofRequirement(), ofRequirement(['a']));
      assert.equal(muted(mutes, deploymentOf(json)), '');
    });
  }

  for (const [when, json] of withAmbiguousName) {
    it(`mutes nothing when ${when}`, () => {
      assert.equal(muted(inWorkspace(ofRequirement()), deploymentOf(json)), '');
    });
  }

  it('mutes nothing when an answer has too many unreadable fields', () => {
    const accounts = Array.from({ length: 10_000 }, () => ({ label: 5 }));
    const deployment = deploymentOf({ ...unsatisfied({ accountId: undefined }), accounts });
    assert.equal(muted(inWorkspace(ofRequirement()), deployment), '');
  });

  it('mutes the requirement beside one with another name', () => {
    const requirements = [requirement(), requirement({ binding: 'sync' })];
    const deployment = deploymentOf({ accounts: [works], requirements });
    assert.equal(muted(inWorkspace(ofRequirement()), deployment), 'notifier');
  });

  it('does not mute the requirement of another deployment', () => {
    const deployment = deploymentOf(unsatisfied(), 'another');
    assert.equal(muted(inWorkspace(ofRequirement()), deployment), '');
  });

  it('does not mute the failed account that the requirement needs', () => {
    const accounts = [{ ...works, error: { code: 'revoked' } }];
    const deployment = deploymentOf({ accounts, requirements: [requirement()] });
    assert.equal(muted(inWorkspace(ofRequirement()), deployment), '');
  });
});

describe('entries of a folder', () => {
  const folder = (entry: MuteEntry, ...ids: readonly string[]) =>
    new MutesForEveryone([{ entries: [entry], deploymentIds: new Set(ids) }]);

  it('mute the account in a deployment that the folder lists', () => {
    assert.equal(muted(folder(ofAccount(), 'dep'), deploymentOf(failed())), 'acc');
  });

  it('do not mute the account in a deployment of another folder', () => {
    assert.equal(muted(folder(ofAccount(), 'dep'), deploymentOf(failed(), 'another')), '');
  });

  it('mute nothing when the folder lists nothing', () => {
    assert.equal(muted(folder(ofAccount()), deploymentOf(failed())), '');
  });

  it('do not mute a requirement in a deployment of another folder', () => {
    assert.equal(muted(folder(ofRequirement(), 'another'), deploymentOf(unsatisfied())), '');
  });

  it('do not make an account of another folder count as changed', () => {
    const deployment = deploymentOf(failed({ code: 'expired' }), 'another');
    assert.equal(hasChanged(folder(ofAccount(), 'dep'), deployment), false);
  });

  it('say nothing of the account in a deployment of another folder', () => {
    const entry = ofAccount();
    const states = folder(entry, 'dep').statesIn([deploymentOf(account(), 'another')], now);
    assert.equal(states.get(entry), 'unknown');
  });

  it('hold beside those of the workspace', () => {
    const mutes = new MutesForEveryone([
      { entries: [ofAccount('expired')], deploymentIds: new Set(['dep']) },
      { entries: [ofAccount()], deploymentIds: undefined },
    ]);
    assert.equal(muted(mutes, deploymentOf(failed())), 'acc');
  });
});

describe('several entries of one problem', () => {
  const early = ofAccount('revoked', { until: '2026-11-30' });
  const late = ofAccount('revoked', { until: '2026-12-01' });
  const ended = ofAccount('revoked', { since: '2025-11-25', until: '2025-12-31' });
  const ofOtherError = ofAccount('expired', { until: '2027-01-31' });
  const [problem] = deploymentOf(failed()).answer!.findings.problems;

  /** Each in a scope of its own. */
  const inScopes = (...entries: readonly MuteEntry[]) =>
    new MutesForEveryone(
      entries.map((entry) => ({ entries: [entry], deploymentIds: new Set(['dep']) })),
    );

  for (const [where, create] of [
    ['in one list', inWorkspace],
    ['in several lists', inScopes],
  ] as const) {
    for (const [order, entries] of [
      ['first', [late, early, ended, ofOtherError]],
      ['last', [ofOtherError, ended, early, late]],
    ] as const) {
      it(`mute to the end of the last when that comes ${order} ${where}`, () => {
        assert.equal(create(...entries).entryFor(problem!, now), late);
      });
    }

    it(`mute as the first when they end on the same day ${where}`, () => {
      const second = ofAccount('revoked', { until: '2026-12-01', reason: 'Another' });
      assert.equal(create(late, second).entryFor(problem!, now), late);
    });
  }

  it('are muting no more when their last days have ended', () => {
    assert.deepEqual(inWorkspace(early, late).entriesThatMute(problem!, late.endsAt), []);
  });

  it('all mute, except those that have ended or name another error', () => {
    const mutes = inWorkspace(early, ofOtherError, ended, late);
    assert.deepEqual(mutes.entriesThatMute(problem!, now), [early, late]);
  });
});

describe('a problem with an entry', () => {
  it('has changed when its error is another', () => {
    const deployment = deploymentOf(failed({ code: 'expired' }));
    assert.equal(hasChanged(inWorkspace(ofAccount()), deployment), true);
  });

  it('has changed when its missing scopes are others', () => {
    assert.equal(hasChanged(inWorkspace(ofRequirement(['a'])), deploymentOf(lacking('b'))), true);
  });

  for (const [when, entries, json] of [
    ['it is muted', [ofAccount()], failed()],
    ['another entry mutes it', [ofAccount('expired'), ofAccount()], failed()],
    ['no entry names it', [ofRequirement()], failed()],
    ['its code is unreadable', [ofAccount()], failed({ code: 5 })],
    ['its name is ambiguous', [ofRequirement(['x'])], withAmbiguousName[0]![1]],
  ] as const) {
    it(`has not changed when ${when}`, () => {
      assert.equal(hasChanged(inWorkspace(...entries), deploymentOf(json)), false);
    });
  }

  it('has not changed any more when the entry has ended', () => {
    const deployment = deploymentOf(failed({ code: 'expired' }));
    assert.equal(hasChanged(inWorkspace(ofAccount()), deployment, end), false);
  });

  it('has changed when an entry that would mute it has ended', () => {
    const endedEntry = ofAccount('revoked', { since: '2025-11-25', until: '2025-12-31' });
    const mutes = inWorkspace(ofAccount('expired'), endedEntry);
    assert.equal(hasChanged(mutes, deploymentOf(failed())), true);
  });
});

const notFound = { failure: { kind: 'notFound', status: 404 }, at: now } as const;

describe('the state of an entry', () => {
  for (const [state, when, entry, jsons] of [
    ['mutes', 'its account has the error', ofAccount(), [failed()]],
    ['mutes', 'its requirement lacks the scopes', ofRequirement(['a']), [lacking('a')]],
    ['changed', 'its account has another error', ofAccount('expired'), [failed()]],
    ['changed', 'its requirement lacks other scopes', ofRequirement(['a']), [lacking('b')]],
    ['obsolete', 'its account works', ofAccount(), [account()]],
    ['obsolete', 'the error of its account is null', ofAccount(), [account({ error: null })]],
    [
      'obsolete',
      'its requirement is satisfied',
      ofRequirement(),
      [unsatisfied({ satisfied: true })],
    ],
    ['unknown', 'its account is absent', ofAccount(), [{ accounts: [], requirements: [] }]],
    ['unknown', 'its requirement is absent', ofRequirement(), [failed()]],
    ['unknown', 'the error of its account is unreadable', ofAccount(), [account({ error: 5 })]],
    ['unknown', 'the code of the error is unreadable', ofAccount(), [failed({ code: 5 })]],
    [
      'unknown',
      'its requirement has no “satisfied”',
      ofRequirement(),
      [unsatisfied({ satisfied: undefined })],
    ],
    [
      'unknown',
      'its requirement needs a failed account',
      ofRequirement(),
      [
        {
          accounts: [{ ...works, error: {} }],
          requirements: [requirement()],
        },
      ],
    ],
    ['unknown', 'there are no deployments', ofAccount(), []],
    [
      'ended',
      'its last day is over',
      ofAccount('revoked', { since: '2025-11-25', until: '2025-12-31' }),
      [failed()],
    ],
    [
      'ended',
      'its last day is over, and its account absent',
      ofAccount('revoked', { since: '2025-11-25', until: '2025-12-31' }),
      [],
    ],
  ] as const) {
    it(`is “${state}” when ${when}`, () => {
      const deployments = jsons.map((json) => deploymentOf(json));
      assert.equal(stateIn(entry, deployments), state);
    });
  }

  for (const [what, json] of withUnreadableScopes) {
    it(`is “unknown” when ${what} is unreadable`, () => {
      assert.equal(stateIn(ofRequirement(), [deploymentOf(json)]), 'unknown');
    });
  }

  for (const [when, json] of withAmbiguousName) {
    it(`is “ambiguous” when ${when}`, () => {
      assert.equal(stateIn(ofRequirement(), [deploymentOf(json)]), 'ambiguous');
    });
  }

  it('is “ended” from the first millisecond after its last day on', () => {
    assert.equal(stateIn(ofAccount(), [deploymentOf(failed())], end), 'ended');
  });

  it('is “mutes” to the last millisecond of its last day', () => {
    assert.equal(stateIn(ofAccount(), [deploymentOf(failed())], end - 1), 'mutes');
  });

  it('is “unknown” when the deployment has not been read', () => {
    const { answer: _, ...unread } = deploymentOf(failed());
    assert.equal(stateIn(ofAccount(), [unread]), 'unknown');
  });

  it('is “unknown” when the last read of the deployment has failed', () => {
    const unreadable = { ...deploymentOf(account()), failedRead: notFound };
    assert.equal(stateIn(ofAccount(), [unreadable]), 'unknown');
  });

  it('is “unknown” when an answer has the account twice, with different errors', () => {
    const accounts = [
      { id: 'acc', error: { code: 'expired' } },
      { id: 'acc', error: { code: 'revoked' } },
    ];
    const deployment = deploymentOf({ accounts, requirements: [] });
    assert.equal(stateIn(ofAccount(), [deployment]), 'unknown');
  });

  // The strongest first.
  const answers: readonly (readonly [state: string, json: Json])[] = [
    ['mutes', failed()],
    ['changed', failed({ code: 'expired' })],
    ['obsolete', account()],
    ['unknown', failed({ code: 5 })],
  ];
  for (const [index, [state, json]] of answers.entries()) {
    for (const [otherState, otherJson] of answers.slice(index + 1)) {
      it(`is “${state}” when that holds in one deployment, and “${otherState}” in another`, () => {
        const deployments = [deploymentOf(json, 'a'), deploymentOf(otherJson, 'b')];
        const states = [deployments, deployments.toReversed()].map((some) =>
          stateIn(ofAccount(), some),
        );
        assert.deepEqual(new Set(states), new Set([state]));
      });
    }
  }
});

describe('the states of entries', () => {
  it('have the order of the entries', () => {
    const entries = [ofRequirement(), ofAccount(), ofAccount('expired')];
    const states = inWorkspace(...entries).statesIn([deploymentOf(failed())], now);
    assert.deepEqual([...states.keys()], entries);
  });

  it('are apart for entries that name the same', () => {
    const entries = [ofAccount(), ofAccount('expired')];
    const states = inWorkspace(...entries).statesIn([deploymentOf(failed())], now);
    assert.deepEqual([...states.values()], ['mutes', 'changed']);
  });

  it('are none without entries', () => {
    assert.equal(inWorkspace().statesIn([deploymentOf(failed())], now).size, 0);
  });
});

describe('the state of all entries about an account', () => {
  const revokedIn = (id: string) => deploymentOf(failed(), id);
  const worksIn = (id: string) => deploymentOf(account(), id);
  const findingIn = ({ answer }: Deployment) => answer!.findings.accounts[0]!;
  const late = { until: '2027-01-31' };

  for (const [state, when, entries, holders] of [
    ['mutes', 'one of them mutes', [ofAccount('expired'), ofAccount()], [revokedIn('dep')]],
    ['mutes', 'one mutes elsewhere', [ofAccount()], [worksIn('dep'), revokedIn('b')]],
    ['changed', 'all name other errors', [ofAccount('expired')], [revokedIn('dep')]],
    ['obsolete', 'it works', [ofAccount()], [worksIn('dep')]],
    ['unknown', 'its error is unreadable', [ofAccount()], [deploymentOf(account({ error: 5 }))]],
    [undefined, 'none names it', [ofRequirement()], [revokedIn('dep')]],
    [undefined, 'there are none', [], [revokedIn('dep')]],
  ] as const) {
    it(`is ${state ?? 'none'} when ${when}`, () => {
      const finding = findingIn(holders[0]);
      assert.equal(inWorkspace(...entries).stateOf(finding, 'dep', holders, now), state);
    });
  }

  it('is none when all have ended', () => {
    const deployment = revokedIn('dep');
    const mutes = inWorkspace(ofAccount());
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', [deployment], end), undefined);
  });

  it('is that of those that have not ended', () => {
    const deployment = revokedIn('dep');
    const mutes = inWorkspace(ofAccount(), ofAccount('expired', late));
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', [deployment], end), 'changed');
  });

  it('is that in the deployments that have been read', () => {
    const deployment = worksIn('dep');
    const { answer: _, ...unread } = worksIn('b');
    const holders = [unread, deployment];
    const mutes = inWorkspace(ofAccount());
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', holders, now), 'obsolete');
  });

  it('is unknown when the last read of its deployment has failed', () => {
    const deployment = { ...worksIn('dep'), failedRead: notFound };
    const mutes = inWorkspace(ofAccount());
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', [deployment], now), 'unknown');
  });

  it('leaves out deployments that its folder does not list', () => {
    const deployment = worksIn('dep');
    const mutes = new MutesForEveryone([
      { entries: [ofAccount()], deploymentIds: new Set(['dep']) },
    ]);
    const holders = [deployment, revokedIn('b')];
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', holders, now), 'obsolete');
  });

  it('leaves out entries of a folder without the deployment', () => {
    const deployment = revokedIn('dep');
    const mutes = new MutesForEveryone([{ entries: [ofAccount()], deploymentIds: new Set('b') }]);
    const holders = [deployment, revokedIn('b')];
    assert.equal(mutes.stateOf(findingIn(deployment), 'dep', holders, now), undefined);
  });
});

describe('what an entry has to name', () => {
  const subjectIn = (json: Json) => {
    const [problem] = deploymentOf(json).answer!.findings.problems;
    return muteSubjectOf(problem!);
  };

  it('is the account with its error', () => {
    const subject = { kind: 'account', account: 'acc', error: 'revoked' };
    assert.deepEqual(subjectIn(failed()), subject);
  });

  it('is the requirement of its deployment with its missing scopes', () => {
    assert.deepEqual(subjectIn(lacking('a', 'b')), {
      kind: 'requirement',
      deployment: 'dep',
      requirement: 'notifier',
      missing: ['a', 'b'],
    });
  });

  for (const [what, json] of [
    ['an account without an ID', account({ id: undefined, error: {} })],
    ['an account with a blank ID', account({ id: ' ', error: {} })],
    ['an account with an unreadable code', failed({ code: 5 })],
    ['a requirement without a name', unsatisfied({ binding: undefined })],
    ['a requirement with a blank name', unsatisfied({ binding: ' ' })],
    ['a requirement with an ambiguous name', withAmbiguousName[0]![1]],
    ['a requirement with unreadable scopes', withUnreadableScopes[0]![1]],
  ] as const) {
    it(`is nothing for ${what}`, () => assert.equal(subjectIn(json), undefined));
  }
});

describe('the next end of entries', () => {
  const entries = ['2026-12-02', '2026-12-01', '2026-12-03'].map((until) =>
    ofAccount('revoked', { until }),
  );

  for (const [when, at, next] of [
    ['nothing has ended', now, Date.UTC(2026, 11, 2)],
    ['the first is about to end', Date.UTC(2026, 11, 2) - 1, Date.UTC(2026, 11, 2)],
    ['the first has just ended', Date.UTC(2026, 11, 2), Date.UTC(2026, 11, 3)],
    ['all have ended', Date.UTC(2026, 11, 4), Infinity],
  ] as const) {
    it(`is the earliest that is still to come when ${when}`, () => {
      assert.equal(inWorkspace(...entries).nextEndAfter(at), next);
    });
  }
});

describe('10,000 entries of one account', () => {
  it('are not all asked for each problem', () => {
    let asked = 0;
    const entry = ofAccount();
    const entries = Array.from({ length: 10_000 }, (_, index): MuteEntry => {
      const error = index % 2 === 0 ? 'revoked' : `error ${index}`;
      return {
        ...entry,
        subject: { kind: 'account', account: 'acc', error },
        get endsAt() {
          asked += 1;
          return entry.endsAt;
        },
      };
    });
    const mutes = inWorkspace(...entries);
    const deployment = deploymentOf(failed());
    asked = 0;
    assert.equal(muted(mutes, deployment), 'acc');
    assert.ok(asked < 10, `${asked} entries`);
  });
});

describe('any entries', () => {
  it('mute only what has the very error that one of the entries names', () => {
    const anyCode = fc.constantFrom('', 'revoked', 'expired', 'a');
    fc.assert(
      fc.property(fc.array(anyCode), anyCode, (named, code) => {
        const mutes = inWorkspace(...named.map((error) => ofAccount(error)));
        const isMuted = muted(mutes, deploymentOf(failed({ code }))) !== '';
        assert.equal(isMuted, named.includes(code));
      }),
    );
  });

  it('mute only what lacks the very scopes that one of the entries names', () => {
    const scopes = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
    const asText = (some: readonly string[]) => [...new Set(some)].toSorted().join();
    fc.assert(
      fc.property(fc.array(scopes), scopes, (named, missing) => {
        const mutes = inWorkspace(...named.map((some) => ofRequirement(some)));
        const isMuted = muted(mutes, deploymentOf(lacking(...missing))) !== '';
        assert.equal(isMuted, named.map(asText).includes(asText(missing)));
      }),
    );
  });

  it('mute a problem when made for it', () => {
    fc.assert(
      fc.property(anyAuthorization, (json) => {
        for (const problem of deploymentOf(json).answer!.findings.problems) {
          const subject = muteSubjectOf(problem);
          if (subject === undefined) continue;
          const entry = entryAbout(subject);
          assert.equal(inWorkspace(entry).entryFor(problem, now), entry);
        }
      }),
    );
  });

  it('mute no problem for which none can be made', () => {
    fc.assert(
      fc.property(anyAuthorization, anyAuthorization, (json, otherJson) => {
        const deployments = [deploymentOf(json), deploymentOf(otherJson)];
        const problems = deployments.flatMap(({ answer }) => answer!.findings.problems);
        const subjects = problems.map(muteSubjectOf).filter((subject) => subject !== undefined);
        const mutes = inWorkspace(...subjects.map(entryAbout));
        const withEntry = problems.filter((problem) => mutes.entryFor(problem, now) !== undefined);
        const withSubject = problems.filter((problem) => muteSubjectOf(problem) !== undefined);
        assert.deepEqual(withEntry, withSubject);
      }),
    );
  });

  it('have the strongest of their states for each account and requirement', () => {
    const strongestFirst = ['mutes', 'changed', 'ambiguous', 'obsolete', 'unknown'] as const;
    fc.assert(
      fc.property(anyAuthorization, anyAuthorization, fc.nat(), (json, otherJson, nth) => {
        const deployments = [deploymentOf(json, 'a'), deploymentOf(otherJson, 'b')];
        const problems = deployments.flatMap(({ answer }) => answer!.findings.problems);
        const subjects = problems.map(muteSubjectOf).filter((subject) => subject !== undefined);
        const mutes = inWorkspace(...subjects.map(entryAbout));
        const states = mutes.statesIn(deployments, now);
        const { accounts, requirements } = deployments[0]!.answer!.findings;
        const findings = [...accounts, ...requirements];
        const finding = findings[nth % findings.length];
        if (finding === undefined) return;

        const statesOfFinding = mutes.entriesAbout(finding, 'a').map((entry) => states.get(entry));
        const strongest = strongestFirst.find((state) => statesOfFinding.includes(state));
        const holders = 'account' in finding ? deployments : deployments.slice(0, 1);
        assert.equal(mutes.stateOf(finding, 'a', holders, now), strongest);
      }),
    );
  });
});
