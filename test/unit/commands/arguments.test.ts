import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import {
  chosenDeployments,
  copyIdOf,
  deploymentsOf,
  hasDeployment,
  isFromKey,
  isFromView,
  problemsOf,
  readRow,
  readRows,
  readText,
  readTexts,
  selectedDeploymentRows,
} from '../../../src/commands/arguments.js';
import { type Deployment, withFindings } from '../../../src/model/findings/deployment.js';
import type { Identity, Problem } from '../../../src/model/findings/findings.js';
import { nothingRemembered } from '../../../src/model/findings/state.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { answerOf } from '../../support/answers.js';

const [deployment, other] = ['dep_1', 'dep_2'].map(
  (id): Deployment => ({ id, name: id, state: 'notYetRead', activity: 'idle' }),
);
const answer = answerOf({ serviceId: 'crm', label: 'Acme CRM' });
const install: PendingInstall = { id: 'random', organizationId: 'a', answer };

/** Of the stores only what looks something up. */
const store = { get: (id: string) => [deployment, other].find((one) => one?.id === id) };
const installs = { get: (id: string) => (id === install.id ? install : undefined) };

/** Any extension may call a command with anything. */
const wrong: readonly unknown[] = [
  undefined,
  null,
  1,
  [],
  () => 'dep_1',
  { deployment: null },
  { deployment: { id: 1 } },
];

/** The IDs of the deployments that a command with these arguments is about. */
function deploymentIds(...given: Parameters<typeof readRows>): readonly string[] {
  return deploymentsOf(store, readRows(...given)).map(({ id }) => id);
}

/** The IDs of the deployments that a command offers for a choice. */
function chosenIds(...given: Parameters<typeof readRows>): readonly string[] {
  return chosenDeployments(store, readRows(...given)).map(({ id }) => id);
}

/** The IDs of the deployments that a key acts on. */
function selectedIds(...selected: readonly unknown[]): readonly string[] | undefined {
  return selectedDeploymentRows(selected)?.flatMap((row) => row.deploymentIds);
}

function copiedId(given: unknown): string | undefined {
  return copyIdOf(installs, readRow(given) ?? readRow('none')!);
}

describe('the deployments of a command', () => {
  const row = { kind: 'failure', id: 'x', copyId: 'dep_1', deployment };
  const account = { kind: 'accountGroup', id: 'y', deployments: [deployment, other] };

  it('are the listed ones of the selection, each once', () => {
    const notListed = { ...row, deployment: { id: 'not listed' } };
    assert.deepEqual(deploymentIds(row, [row, 'dep_1', notListed]), ['dep_1']);
  });

  it('are the one of the given ID when nothing is selected', () => {
    assert.deepEqual(deploymentIds('dep_1', []), ['dep_1']);
  });

  it('are all deployments of the row of a group', () => {
    assert.deepEqual(deploymentIds(account), ['dep_1', 'dep_2']);
  });

  it('are all deployments of a group when that is chosen alone', () => {
    assert.deepEqual(chosenIds(account), ['dep_1', 'dep_2']);
  });

  it('are only those of deployment rows when a group is selected beside them', () => {
    assert.deepEqual(chosenIds(row, [row, account]), ['dep_1']);
  });

  for (const given of wrong) {
    it(`are none when the argument is ${inspect(given)}`, () => {
      assert.deepEqual(deploymentIds(given), []);
    });
  }
});

describe('the problems of a row', () => {
  const problem = { key: 'effect' };
  const cause = { key: 'cause' };

  for (const [what, row, keys] of [
    ['the problem of its finding', { finding: { problem } }, ['effect']],
    ['the cause when its finding is an effect', { finding: { problem, cause } }, ['cause']],
    ['its own problem', { problem }, ['effect']],
    ['unknown when its problem cannot be read', { finding: {}, problem: 1 }, undefined],
  ] as const) {
    it(`are ${what}`, () => assert.deepEqual(readRow(row)?.problemKeys, keys));
  }

  const workingAccount = { kind: 'accountGroup', deployments: [deployment], finding: {} };

  it('are those of the requirements that are bound to a working account', () => {
    const requirements = [{ cause: { key: 'lacks' } }, { state: 'satisfied' }, 1];
    assert.deepEqual(readRow({ ...workingAccount, requirements })?.problemKeys, ['lacks']);
  });

  it('are none when no requirement is bound to a working account', () => {
    assert.deepEqual(readRow({ ...workingAccount, requirements: [] })?.problemKeys, []);
  });
});

describe('isFromKey()', () => {
  it('is true for the argument of a key in the tree', () => {
    assert.equal(isFromKey({ selection: true }), true);
  });

  it('is false for an argument of another kind', () => {
    for (const given of wrong) assert.equal(isFromKey(given), false, String(given));
  });
});

function rowsOf(...kinds: readonly string[]) {
  return kinds.map((kind) => ({ kind, id: 'x', deployment }));
}

describe('the deployments that a key acts on', () => {
  const others = rowsOf('failure', 'advice', 'account', 'accountGroup');

  it('are those of the selected deployment rows', () => {
    assert.deepEqual(selectedIds(...rowsOf('deployment')), ['dep_1']);
  });

  it('are those of member rows when other rows are selected, too', () => {
    assert.deepEqual(selectedIds(...rowsOf('member'), ...others), ['dep_1']);
  });

  it('are none when nothing is selected, so that the command asks', () => {
    assert.deepEqual(selectedIds(), []);
  });

  it('are undefined when only rows of other kinds are selected', () => {
    assert.equal(selectedIds(...others), undefined);
  });

  it('are undefined when only arguments of another kind are selected', () => {
    assert.equal(selectedIds(...wrong), undefined);
  });
});

describe('the text that an input box is filled with', () => {
  it('is the argument without the spaces around it', () => {
    assert.equal(readText(' key_1 '), 'key_1');
  });

  it('is absent when the argument is blank or not a text', () => {
    for (const given of [...wrong, ['key_1'], '  '])
      assert.equal(readText(given), undefined, String(given));
  });

  it('is taken from the fields of the argument that are texts', () => {
    const given = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(readTexts(given, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
  });

  it('is absent for each field of another kind of argument', () => {
    for (const given of ['dep_1', ...wrong])
      assert.deepEqual(readTexts(given, 'id', 'label'), {}, String(given));
  });

  // VS Code hands the focused row to the buttons of a view's title.
  it('is absent for each field of a row', () => {
    const row = { kind: 'deployment', id: 'deployment:dep_1', deployment };
    assert.deepEqual(readTexts(row, 'id', 'label'), {});
  });
});

describe('hasDeployment()', () => {
  it('is true for a row with a deployment', () => {
    assert.equal(hasDeployment({ kind: 'failure', deployment }), true);
  });

  it('is false for fields to fill in', () => {
    assert.equal(hasDeployment({ baseUrl: 'https://a.example/api/v1', token: 'tok_1' }), false);
  });
});

describe('isFromView()', () => {
  const row = { kind: 'deployment', deployment };
  const cases: readonly [what: string, given: readonly unknown[], expected: boolean][] = [
    ['a row', [row, undefined], true],
    ['a key in the tree', [{ selection: true }], true],
    ['a button of the view’s title while no row has the focus', [undefined], true],
    ['the palette, or a button of the welcome view', [], false],
    ['a link in a hover', ['dep_1'], false],
    ['a button of a message', [{ id: 'dep_1' }], false],
    ['the menu of an editor', [{ scheme: 'file', path: '/a.yaml' }, { groupId: 0 }], false],
  ];
  for (const [what, given, expected] of cases) {
    it(`is ${expected} for ${what}`, () => assert.equal(isFromView(given), expected));
  }
});

describe('the ID that Copy ID copies', () => {
  it('is the own ID of a row', () => {
    assert.equal(copiedId({ id: 'x', copyId: 'acc_1', deployment }), 'acc_1');
  });

  it('is the ID of its service for an install, not its token', () => {
    assert.equal(copiedId(install), 'crm');
  });

  it('is absent when the argument is of another kind', () => {
    for (const given of [...wrong, { copyId: 1 }])
      assert.equal(copiedId(given), undefined, String(given));
  });
});

describe('the problems of rows', () => {
  const accounts = Array.from({ length: 100 }, (_, at) => ({ id: `acc_${at}`, error: {} }));
  const failing = withFindings(answerOf({ accounts, requirements: [] }), 'a');
  const listed: Deployment = {
    id: 'a',
    name: 'a',
    state: 'failed',
    activity: 'idle',
    answer: failing,
  };
  const source = {
    memory: nothingRemembered,
    store: { get: (id: string) => (id === 'a' ? listed : undefined) },
  };
  const { problems } = failing.findings;
  const rows = problems.flatMap(
    (problem) => readRow({ kind: 'advice', deployment: listed, problem }) ?? [],
  );

  it('are the own problem of each row', () => {
    const own = problemsOf(source, rows, 'unmuted').map(({ problem }) => problem);
    assert.deepEqual(own, problems);
  });

  describe('that join several problems', () => {
    const joined = problems.slice(0, 4);
    const [muted, ...unmuted] = joined;
    const memory = {
      muteOf: ({ key }: Identity) =>
        key === muted!.key ? { until: 1, isUntilChange: false } : undefined,
      hasChangedSinceMuted: () => false,
    };
    const row = readRow({ kind: 'joinedAdvice', deployment: listed, problems: joined })!;
    const problemsFound = (which: 'unmuted' | 'muted') =>
      problemsOf({ ...source, memory }, [row], which).map(({ problem }) => problem);

    it('are the unmuted ones when these are asked for', () => {
      assert.deepEqual(problemsFound('unmuted'), unmuted);
    });

    it('are the muted ones when these are asked for', () => {
      assert.deepEqual(problemsFound('muted'), [muted]);
    });
  });

  describe('of an account that is muted in one of its two deployments', () => {
    const authorization = { accounts: [{ id: 'acc_1', error: {} }], requirements: [] };
    const holders = new Map(
      ['a', 'b'].map((id): [string, Deployment] => [
        id,
        { ...listed, id, answer: withFindings(answerOf(authorization), id) },
      ]),
    );
    const memory = {
      muteOf: ({ foundIn }: Problem) =>
        foundIn === 'a' ? { until: 1, isUntilChange: false } : undefined,
      hasChangedSinceMuted: () => false,
    };
    const [problem] = holders.get('a')!.answer!.findings.problems;
    /** Where the problem of the row of the account is found, with its deployments in this order. */
    const foundIn = (which: 'unmuted' | 'muted', ...ids: readonly string[]) => {
      const deployments = ids.map((id) => ({ id }));
      const row = readRow({ kind: 'accountGroup', finding: { problem }, deployments })!;
      const found = problemsOf({ memory, store: holders }, [row], which);
      return found.map(({ deployment: holder }) => holder.id);
    };

    it('are found where they are not muted when unmuted ones are asked for', () => {
      assert.deepEqual(foundIn('unmuted', 'a', 'b'), ['b']);
    });

    it('are found where they are muted when muted ones are asked for', () => {
      assert.deepEqual(foundIn('muted', 'b', 'a'), ['a']);
    });

    it('are found elsewhere when the deployment where they are muted is gone', () => {
      assert.deepEqual(foundIn('muted', 'b'), ['b']);
    });
  });

  it('are found once when the row of their deployment is selected, too', () => {
    const [row] = readRows('a');
    const keys = problemsOf(source, [row!, ...rows], 'unmuted').map(({ problem }) => problem.key);
    assert.deepEqual(keys.toSorted(), problems.map(({ key }) => key).toSorted());
  });

  it('are found with a few looks at the key of each problem', () => {
    let looks = 0;
    for (const problem of problems) {
      const { key } = problem;
      Object.defineProperty(problem, 'key', {
        get: () => {
          looks += 1;
          return key;
        },
      });
    }
    problemsOf(source, rows, 'unmuted');
    const looksPerProblem = looks / problems.length;
    assert.equal(looksPerProblem < 5, true, `${looksPerProblem} looks at each`);
  });
});
