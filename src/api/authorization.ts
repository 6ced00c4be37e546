import { array, boolean, type Decoded, type Decoder, nullable, object, string } from './decode.js';

// Each field may be absent, because the platform does not document which are always present.

export const accountErrorFields = { code: string, message: string };

export const accountFields = {
  id: string,
  label: string,
  serviceId: string,
  serviceSub: string,
  connectionMethodId: string,
  /** If it is absent, the scopes are unknown. That does not mean that there are none. */
  scopes: array(string),
  checkedAt: string,
  /** Even an empty object means that the account has failed. */
  error: nullable(object(accountErrorFields)),
};

export const connectionFields = {
  connectionMethodId: string,
  minimalScopes: array(string),
  requiredScopes: array(string),
};

export const requirementFields = {
  serviceId: string,
  accountId: string,
  binding: string,
  satisfied: boolean,
  eligibleAccountIds: array(string),
  connections: array(object(connectionFields)),
};

export const deploymentAuthorizationFields = {
  accounts: array(object(accountFields)),
  requirements: array(object(requirementFields)),
};

export type Account = Decoded<typeof accountFields>;
export type Connection = Decoded<typeof connectionFields>;
export type Requirement = Decoded<typeof requirementFields>;
export type DeploymentAuthorization = Required<Decoded<typeof deploymentAuthorizationFields>>;

const decodeAuthorizationFields = object(deploymentAuthorizationFields, [
  'accounts',
  'requirements',
]);

/**
 * Returns `undefined` if the answer has neither accounts nor requirements, because it is something
 * else then. If only one of the arrays is missing, that one is empty in the result, and there is an
 * issue.
 */
export const decodeDeploymentAuthorization: Decoder<DeploymentAuthorization> = (value, issues) => {
  const decoded = decodeAuthorizationFields(value, issues);
  if (decoded === undefined) return undefined;
  const { accounts, requirements } = decoded;
  if (accounts === undefined && requirements === undefined) return undefined;
  return { ...decoded, accounts: accounts ?? [], requirements: requirements ?? [] };
};

export const authorizationTemplate = '/deployments/{deploymentId}/authorization';
