import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { day } from '../../../../src/model/base/time.js';
import { withoutKeys, withRestored } from '../../../../src/model/entered/listEntries.js';
import {
  dayOf,
  dayText,
  keyOfEntry,
  type MuteEntry,
  type MuteSubject,
  maxReasonChars,
  readMuteEntries,
  toJson,
} from '../../../../src/model/entered/muteEntries.js';
import { now, rightEntries, rightEntry, token, wrongEntries } from './muteEntryCases.js';

const hasToken = (text: string) => text.includes(token);

/** Reads the value of the setting in one scope. `at`: epoch ms. */
function read(value: unknown, at = now) {
  return readMuteEntries(value, { now: at, hasToken });
}

function keyOf(entry: unknown) {
  return keyOfEntry(entry, { now, hasToken });
}

/** Returns the usable entry; `undefined` if the entry is malformed. */
function usable(entry: unknown, at = now): MuteEntry | undefined {
  return read([entry], at).entries[0]?.entry;
}

function reasonsAgainst(entry: unknown): readonly string[] {
  return read([entry]).malformed.map(({ reason }) => reason);
}

describe('an entry of mutes', () => {
  for (const { when, entry, reason } of wrongEntries) {
    it(`mutes nothing when ${when}`, () => assert.deepEqual(read([entry]).entries, []));

    it(`is reported once when ${when}`, () => {
      assert.deepEqual(read([entry]).malformed, [{ index: 0, value: entry, reason }]);
    });
  }

  for (const { when, entry } of rightEntries) {
    it(`is usable when ${when}`, () => assert.deepEqual(reasonsAgainst(entry), []));
  }

  it('lacks what it only inherits', () => {
    const { reason, ...own } = rightEntry.account;
    const entry: object = Object.assign(Object.create({ reason }), own);
    assert.deepEqual(reasonsAgainst(entry), ['“reason” is missing']);
  });

  it('names nothing by what it only inherits', () => {
    const { account, error, ...own } = rightEntry.account;
    const entry: object = Object.assign(Object.create({ account, error }), own);
    assert.equal(keyOf(entry), undefined);
  });

  it('names an account with its error', () => {
    const subject = { kind: 'account', account: 'acc_1', error: 'token_revoked' };
    assert.deepEqual(usable(rightEntry.account)?.subject, subject);
  });

  it('names a requirement with its missing scopes', () => {
    assert.deepEqual(usable(rightEntry.requirement)?.subject, {
      kind: 'requirement',
      deployment: 'dep_1',
      requirement: 'notifier',
      missing: ['chat:write'],
    });
  });

  it('ends with its last day in UTC', () => {
    assert.equal(usable(rightEntry.account)?.endsAt, Date.UTC(2027, 0, 1));
  });

  it('has its reason without white space around it', () => {
    assert.equal(usable({ ...rightEntry.account, reason: ' \tReview \n' })?.reason, 'Review');
  });
});

describe('an entry of mutes that is written tomorrow', () => {
  it('is usable once today begins in UTC', () => {
    assert.notEqual(usable(rightEntry.account, Date.UTC(2026, 10, 24)), undefined);
  });

  it('mutes nothing a millisecond before today begins in UTC', () => {
    assert.equal(usable(rightEntry.account, Date.UTC(2026, 10, 24) - 1), undefined);
  });
});

describe('the setting mutes', () => {
  const { account, requirement } = rightEntry;

  for (const value of [null, 5, true, 'acc_1', {}, account]) {
    it(`mutes nothing when it is ${JSON.stringify(value).slice(0, 20)}`, () => {
      assert.deepEqual(read(value), {
        entries: [],
        malformed: [{ value, reason: 'the value is not a list' }],
      });
    });
  }

  it('has no entries where it is not set', () => {
    assert.deepEqual(read(undefined), { entries: [], malformed: [] });
  });

  it('keeps its usable entries beside malformed ones', () => {
    const { entries } = read([5, account, {}, requirement]);
    const kinds = entries.map(({ index, entry }) => `${index} ${entry.subject.kind}`);
    assert.deepEqual(kinds, ['1 account', '3 requirement']);
  });

  it('reports malformed entries by their positions', () => {
    const indexes = read([5, account, {}, requirement]).malformed.map(({ index }) => index);
    assert.deepEqual(indexes, [0, 2]);
  });

  it('is not read when the search for tokens fails', () => {
    const options = { now, hasToken: () => assert.fail('broken') };
    assert.throws(() => readMuteEntries([account], options), /broken/);
  });

  it('keeps entries that name the same', () => {
    assert.equal(read([account, account]).entries.length, 2);
  });

  it('is read when it has 10,000 entries', () => {
    const value = Array.from({ length: 10_000 }, (_, index) => ({
      ...account,
      account: `${index}`,
    }));
    assert.equal(read(value).entries.length, 10_000);
  });
});

const fields = ['account', 'error', 'deployment', 'requirement', 'missing', 'since', 'until'];

/** Objects that are nearly entries: each field is right, something else, or missing. */
const nearlyEntry = fc
  .record(
    Object.fromEntries(
      Object.entries({ ...rightEntry.account, ...rightEntry.requirement }).map(([field, right]) => [
        field,
        fc.oneof({ arbitrary: fc.constant(right), weight: 6 }, fc.jsonValue()),
      ]),
    ),
    { requiredKeys: [] },
  )
  .chain((entry) =>
    // Most that name an account and a requirement would be refused for that alone.
    fc.subarray(fields, { minLength: 0, maxLength: 3 }).map((left) => {
      const kept = Object.entries(entry).filter(([field]) => !left.includes(field));
      return Object.fromEntries(kept);
    }),
  );

const anyName = fc.string().filter((text) => text.trim() !== '' && !hasToken(text));
const anyText = fc.string().filter((text) => !hasToken(text));
const anyReason = fc
  .string({ unit: 'grapheme', maxLength: maxReasonChars })
  .map((text) => text.trim())
  .filter((text) => text !== '' && Array.from(text).length <= maxReasonChars && !hasToken(text));
const anySubject = fc.oneof(
  fc
    .tuple(anyName, anyText)
    .map(([account, error]): MuteSubject => ({ kind: 'account', account, error })),
  fc.tuple(anyName, anyName, fc.array(anyText)).map(
    ([deployment, requirement, missing]): MuteSubject => ({
      kind: 'requirement',
      deployment,
      requirement,
      missing,
    }),
  ),
);

/** Usable entries. */
const anyEntry = fc
  .record({
    subject: anySubject,
    sinceDaysAgo: fc.integer({ min: -1, max: 2000 }),
    days: fc.integer({ min: -10, max: 366 }),
    reason: anyReason,
  })
  .map(({ subject, sinceDaysAgo, days, reason }): MuteEntry => {
    const since = dayText(now - sinceDaysAgo * day);
    const untilAt = dayOf(since)! + days * day;
    return { subject, since, until: dayText(untilAt), endsAt: untilAt + day, reason };
  });

const anyFields = anyEntry.map((entry): Record<string, unknown> => ({ ...toJson(entry) }));

/** The JSON type of a value, where `null` and a list are types of their own. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

describe('any value of mutes', () => {
  it('is read, whatever JSON it is', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.ok(read(value))));
  });

  it('has an entry or a malformed one for each item', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), nearlyEntry, anyFields)), (value) => {
        const { entries, malformed } = read(value);
        assert.equal(entries.length + malformed.length, value.length);
      }),
    );
  });

  it('gives only entries with the fields of one kind, each of its type', () => {
    const typesOf = (entry: object) =>
      Object.fromEntries(Object.entries(entry).map(([field, value]) => [field, typeOf(value)]));
    const types = {
      account: typesOf(rightEntry.account),
      requirement: typesOf(rightEntry.requirement),
    };
    fc.assert(
      fc.property(nearlyEntry, (entry) => {
        const { kind } = usable(entry)?.subject ?? {};
        if (kind !== undefined) assert.deepEqual(typesOf(entry), types[kind]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('any usable entry of mutes', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const written = JSON.stringify([toJson(entry)]);
        assert.deepEqual(read(JSON.parse(written)).entries, [{ index: 0, entry }]);
      }),
    );
  });

  it('is malformed when any field is missing', () => {
    fc.assert(
      fc.property(anyFields, fc.nat(), (entry, nth) => {
        const names = Object.keys(entry);
        const { [names[nth % names.length]!]: _, ...others } = entry;
        assert.equal(usable(others), undefined);
      }),
    );
  });

  it('is malformed when any field has another type', () => {
    fc.assert(
      fc.property(anyFields, fc.nat(), fc.jsonValue(), (entry, nth, value) => {
        const names = Object.keys(entry);
        const name = names[nth % names.length]!;
        fc.pre(typeOf(value) !== typeOf(entry[name]));
        assert.equal(usable({ ...entry, [name]: value }), undefined);
      }),
    );
  });

  it('is malformed when it has any other field', () => {
    fc.assert(
      fc.property(anyFields, fc.string(), fc.jsonValue(), (entry, name, value) => {
        fc.pre(!Object.hasOwn(entry, name));
        // As `JSON.parse` does, this makes a field of `__proto__`, too.
        const other = Object.fromEntries([...Object.entries(entry), [name, value]]);
        assert.equal(usable(other), undefined);
      }),
    );
  });

  it('stays usable as time passes', () => {
    fc.assert(
      fc.property(anyFields, fc.nat({ max: 100 * 366 * day }), (entry, later) => {
        assert.notEqual(usable(entry, now + later), undefined);
      }),
    );
  });
});

describe('any entry of mutes that lasts more than 366 days', () => {
  it('never becomes usable', () => {
    const daysAfterNow = fc.integer({ min: -100 * 366, max: 100 * 366 });
    fc.assert(
      fc.property(
        daysAfterNow,
        fc.integer({ min: 367, max: 100 * 366 }),
        daysAfterNow,
        (sinceDay, days, readDay) => {
          const sinceAt = now + sinceDay * day;
          const until = dayText(sinceAt + days * day);
          const entry = { ...rightEntry.account, since: dayText(sinceAt), until };
          assert.equal(usable(entry, now + readDay * day), undefined);
        },
      ),
    );
  });
});

describe('a day', () => {
  it('is read as it was written', () => {
    const yearZero = Date.UTC(2000, 0, 1) - 730_485 * day;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_652_424 }), (nth) => {
        const at = yearZero + nth * day;
        assert.equal(dayOf(dayText(at)), at);
      }),
    );
  });

  it('is the same all day long', () => {
    assert.equal(dayText(Date.UTC(2026, 11, 32) - 1), '2026-12-31');
  });

  it('is none when a text is anything else', () => {
    const digits = fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (text) => {
        const at = dayOf(text);
        if (at !== undefined) assert.equal(dayText(at), text);
      }),
    );
  });
});

describe('what an entry of mutes names', () => {
  const { account, requirement } = rightEntry;

  for (const [what, one, other] of [
    ['an account with other errors', account, { ...account, error: 'expired' }],
    ['an account with other ends', account, { ...account, until: '2027-01-01' }],
    ['a requirement with other scopes', requirement, { ...requirement, missing: [] }],
  ] as const) {
    it(`is the same when both name ${what}`, () => {
      assert.equal(keyOf(one), keyOf(other));
    });
  }

  for (const [what, one, other] of [
    ['accounts', account, { ...account, account: 'acc_2' }],
    ['requirements', requirement, { ...requirement, requirement: 'sync' }],
    ['deployments', requirement, { ...requirement, deployment: 'dep_2' }],
    [
      'pairs of IDs',
      { ...requirement, deployment: 'a', requirement: 'b","c' },
      { ...requirement, deployment: 'a","b', requirement: 'c' },
    ],
    ['kinds', account, requirement],
  ] as const) {
    it(`differs when both name different ${what}`, () => {
      assert.notEqual(keyOf(one), keyOf(other));
    });
  }

  for (const [what, entry] of [
    ['two things', { ...account, ...requirement }],
    ['no error', { ...account, error: undefined }],
    ['no ID', { ...account, account: ' ' }],
    ['no end', { ...account, until: undefined }],
    ['nothing', {}],
    ['no field', 'acc_1'],
  ] as const) {
    it(`is unknown when the entry has ${what}`, () => assert.equal(keyOf(entry), undefined));
  }
});

describe('a list of mutes without some', () => {
  const { account, requirement } = rightEntry;
  const list = [account, 5, requirement, { ...account, error: 'expired' }, {}];

  it('lacks all entries that name the same, and keeps malformed ones', () => {
    const left = withoutKeys(list, new Set([keyOf(account)!]), keyOf);
    assert.deepEqual(left, [5, requirement, {}]);
  });

  it('gets back all entries that name the same, at their places', () => {
    const keys = new Set([keyOf(account)!]);
    const left = withoutKeys(list, keys, keyOf);
    assert.deepEqual(withRestored(left, list, keys, keyOf), list);
  });

  it('gets back none that an entry written since names', () => {
    const since = [{ ...account, reason: 'Another' }];
    const restored = withRestored(since, list, new Set([keyOf(account)!]), keyOf);
    assert.deepEqual(restored, since);
  });

  it('is the same list when it names none of them', () => {
    assert.deepEqual(withoutKeys(list, new Set(), keyOf), list);
  });
});
