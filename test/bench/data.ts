// What the platform would send.
import {
  account,
  authorization,
  requirement,
  type WireAuthorization,
} from '../support/platform/data.js';

export const lots = 10_000;

const error = { code: 'token_revoked', message: 'The workspace admin removed the app.' };

/**
 * `dep_00001` … of 2 kB, the size that the targets speak of; some with a failed account, some with an unsatisfied requirement.
 * `shared`: the id of a failed account that is in all of them.
 */
export function deployments(count: number, shared?: string): Map<string, WireAuthorization> {
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const name = String(at + 1).padStart(5, '0');
      const one = deployment(name, 2048, { failed: at % 50 === 49, satisfied: at % 20 !== 19 });
      if (shared !== undefined) one.accounts.push(account({ id: shared, error }));
      return [`dep_${name}`, one];
    }),
  );
}

/** With so many accounts, all failed, and as many requirements, each bound to one of them; lean, so that ten thousand are below 4 MB. */
export function wideDeployment(size: number): WireAuthorization {
  const ids = Array.from({ length: size }, (_, at) => `acc_wide_${at}`);
  return {
    accounts: ids.map((id) => ({ id, serviceId: 'slack', error })),
    requirements: ids.map((accountId) => ({
      binding: `for ${accountId}`,
      accountId,
      satisfied: false,
    })),
  };
}

/** With so many accounts, each with two fields of a wrong type, which hide no failure; lean, too. */
export function unreadableDeployment(size: number): object {
  const accounts = Array.from({ length: size }, (_, at) => ({
    id: `acc_${at}`,
    label: 1,
    serviceSub: 1,
  }));
  return { accounts, requirements: [] };
}

/** With so many fields that nobody knows; lean, so that 400,000 are below 4 MB. */
export function fieldsDeployment(count: number): object {
  const fields = Array.from(
    { length: count },
    (_, at) => [at.toString(36).padStart(4, 'k'), 0] as const,
  );
  return { accounts: [], requirements: [], ...Object.fromEntries(fields) };
}

/** With as many accounts as make it about so many bytes of JSON. */
export function deployment(
  name: string,
  bytes: number,
  { failed = false, satisfied = true } = {},
): WireAuthorization {
  const id = `acc_${name}_0`;
  const bound = account({ id, label: `Account ${name}`, ...(failed && { error }) });
  const one = authorization(
    [bound],
    [requirement({ accountId: id, eligibleAccountIds: [id], satisfied })],
  );
  let missing = bytes - JSON.stringify(one).length;
  for (let extra = 1; missing > 0; extra++) {
    const filler = account({ id: `acc_${name}_${extra}`, label: `Account ${name}/${extra}` });
    one.accounts.push(filler);
    missing -= JSON.stringify(filler).length + 1;
  }
  return one;
}
