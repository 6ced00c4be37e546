import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { type CaseText, junitFile, type TestCase } from '../../../src/check/output/junit.js';
import { inertLogLine } from '../../../src/model/inertText.js';
import { outcomesOf, parseJunit } from './junitReport.js';

const text = (message: string, ...lines: readonly string[]): CaseText => ({ message, lines });
const why = text('why', 'because');
const read = (...cases: readonly TestCase[]) => parseJunit(junitFile(cases));

/** What CI systems, XML, and logs take for syntax, and what XML 1.0 does not allow at all. */
const hostileParts = [
  ']]>',
  '<![CDATA[',
  '<!-- -->',
  '<?xml?>',
  '</testcase>',
  '&amp;',
  '&#0;',
  '&',
  '"',
  "'",
  '\0',
  '\t',
  '\r\n',
  '\u001b[31m',
  '\u0085',
  '\u2028',
  '\u202e',
  '\uFFFE',
  '\uFFFF',
  '\u{1FFFE}',
  '\uD83D',
  '\uDE00',
  '😀',
  '👨‍👩‍👧',
  '##vso[task.complete]',
  '##[error]',
  '##.[error]',
  '::error::',
  'null',
  ' (b)',
  ' #2',
];

const hostileText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...hostileParts, 'a', ' '), maxLength: 12 }),
  fc.string({ unit: 'binary' }),
);

const caseText = fc.record({
  message: hostileText,
  lines: fc.array(hostileText, { maxLength: 4 }),
});
const testCase = fc.record(
  {
    name: hostileText,
    group: hostileText,
    failure: caseText,
    error: caseText,
    skipped: caseText,
    output: caseText,
  },
  { requiredKeys: ['name'] },
);
const testCases = fc.array(testCase, { maxLength: 8 });

/** The text as a person sees it in a report. */
const visible = (hostile: string) => inertLogLine(hostile).replace(/[\uFFFE\uFFFF]/g, '\uFFFD');

describe('a JUnit file', () => {
  it('is XML 1.0 with one test case for each given, whatever the texts are', () => {
    fc.assert(
      fc.property(testCases, (cases) => {
        const report = read(...cases);
        assert.equal(report.cases.length, cases.length);
      }),
    );
  });

  it('has the visible text of a name, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, (name) => {
        const { cases } = read({ name });
        assert.equal(cases[0]?.name, visible(name));
      }),
    );
  });

  it('has the visible text of a group without its dots in the class, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, (group) => {
        const { cases } = read({ name: 'a', group: `${group}.b` });
        const expected = `automation-platform.${visible(group.replaceAll('.', '_'))}_b`;
        assert.equal(cases[0]?.classname, expected);
      }),
    );
  });

  it('begins no command in a class, whatever the group is', () => {
    fc.assert(
      fc.property(hostileText, (group) => {
        const { cases } = read({ name: 'a', group });
        assert.doesNotMatch(cases[0]?.classname ?? '', /##\w*\[|[\r\n]/);
      }),
    );
  });

  it('has the class of the suite without a group', () => {
    const { cases } = read({ name: 'a', group: undefined });
    assert.equal(cases[0]?.classname, 'automation-platform');
  });

  it('numbers equal names of two groups, too', () => {
    const { cases } = read({ name: 'a', group: 'x' }, { name: 'a', group: 'y' });
    assert.deepEqual(
      cases.map(({ name }) => name),
      ['a', 'a #2'],
    );
  });

  for (const kind of ['failure', 'error', 'skipped'] as const) {
    it(`has the visible text of a short message, whatever it is (${kind})`, () => {
      fc.assert(
        fc.property(hostileText, (message) => {
          fc.pre(visible(message).length <= 200);
          const { cases } = read({ name: 'a', [kind]: text(message) });
          assert.equal(cases[0]?.message, visible(message));
        }),
      );
    });

    it(`has the visible text of each line, whatever it is (${kind})`, () => {
      fc.assert(
        fc.property(fc.array(hostileText), (lines) => {
          const { cases } = read({ name: 'a', [kind]: text('', ...lines) });
          assert.equal(cases[0]?.text, lines.map(visible).join('\n'));
        }),
      );
    });
  }

  it('counts the elements that it has, whichever outcomes are given', () => {
    fc.assert(
      fc.property(testCases, (cases) => {
        const report = read(...cases);
        const count = (outcome: string) =>
          String(report.cases.filter((one) => one.outcome === outcome).length);
        assert.deepEqual(
          { ...report.suite },
          {
            name: 'automation-platform',
            tests: String(cases.length),
            failures: count('failure'),
            errors: count('error'),
            skipped: count('skipped'),
          },
        );
      }),
    );
  });

  it('has no two cases of one name, whatever the names are', () => {
    fc.assert(
      fc.property(testCases, (cases) => {
        const names = read(...cases).cases.map(({ name }) => name);
        assert.equal(new Set(names).size, names.length, names.join('\n'));
      }),
    );
  });

  it('numbers names that are equal', () => {
    const { cases } = read({ name: 'A (b)' }, { name: 'A (b) #2' }, { name: 'A (b)' });
    const names = cases.map(({ name }) => name);
    assert.deepEqual(names, ['A (b)', 'A (b) #2', 'A (b) #3']);
  });

  it('numbers names that differ only in characters that XML does not allow', () => {
    const { cases } = read({ name: 'a\uFFFE' }, { name: 'a\uFFFF' });
    const names = cases.map(({ name }) => name);
    assert.deepEqual(names, ['a\uFFFD', 'a\uFFFD #2']);
  });

  const outcomes: Readonly<
    Record<string, readonly [given: Omit<TestCase, 'name'>, outcome: string]>
  > = {
    'a failure before an error': [{ error: why, failure: why }, 'failure'],
    'a failure before a skip': [{ skipped: why, failure: why }, 'failure'],
    'an error before a skip': [{ skipped: why, error: why }, 'error'],
    'a skip before output': [{ output: why, skipped: why }, 'skipped'],
    'output for a case that has passed': [{ output: why }, 'system-out'],
    'nothing for a case without texts': [{}, 'passed'],
  };
  for (const [name, [given, outcome]] of Object.entries(outcomes)) {
    it(`has ${name}`, () => {
      const report = read({ name: 'a', ...given });
      assert.equal(outcomesOf(report), outcome);
    });
  }

  it('keeps the order of the cases', () => {
    const report = read({ name: 'a' }, { name: 'b', error: why }, { name: 'c', failure: why });
    assert.equal(outcomesOf(report), 'passed, error, failure');
  });

  it('names the suite in each case', () => {
    const { cases } = read({ name: 'a' }, { name: 'b', error: why });
    const classNames = cases.map(({ classname }) => classname);
    assert.deepEqual(classNames, ['automation-platform', 'automation-platform']);
  });

  it('has no message in the output of a case that has passed', () => {
    const { cases } = read({ name: 'a', output: why });
    assert.equal(cases[0]?.message, undefined);
    assert.equal(cases[0]?.text, 'because');
  });

  it('has the kind of its outcome as the type', () => {
    const xml = junitFile([{ name: 'a', error: why }]);
    assert.match(xml, /<error message="why" type="error">because<\/error>/);
  });

  const long = 'x'.repeat(200_000);

  it('shortens a message of 200,000 characters', () => {
    const { cases } = read({ name: 'a', failure: text(long) });
    assert.equal(cases[0]?.message, `${long.slice(0, 199)}…`);
  });

  it('keeps a message of 200 characters', () => {
    const { cases } = read({ name: 'a', failure: text(long.slice(0, 200)) });
    assert.equal(cases[0]?.message, long.slice(0, 200));
  });

  it('keeps 200,000 characters of content and of a name', () => {
    const { cases } = read({ name: long, failure: text('', long) });
    assert.equal(cases[0]?.text, long);
    assert.equal(cases[0]?.name, long);
  });

  it('begins with its encoding, and ends with a line break', () => {
    const xml = junitFile([{ name: 'a' }]);
    assert.equal(
      xml,
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' +
        '<testsuite name="automation-platform" tests="1" failures="0" errors="0" skipped="0">\n' +
        '<testcase classname="automation-platform" name="a"/>\n</testsuite>\n</testsuites>\n',
    );
  });
});
