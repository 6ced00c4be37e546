import { array, boolean, type Decoded, type Decoder, nullable, object, string } from './decode.js';

// Each field may be absent, because the platform does not document which are always present.

export const accountErrorFields = { code: string, message: string };

export const accountFields = {
  id: string,
  label: string,
  serviceId: string,
  serviceSub: string,
  connectionMethodId: string,
  /** Absent: unknown, not none. */
  scopes: array(string),
  checkedAt: string,
  /** Even an empty object is an error. */
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

/** One array without the other is usable; with neither the answer is something else. */
export const decodeDeploymentAuthorization: Decoder<DeploymentAuthorization> = (value, issues) => {
  const decoded = decodeAuthorizationFields(value, issues);
  if (!decoded || (!decoded.accounts && !decoded.requirements)) return undefined;
  return { ...decoded, accounts: decoded.accounts ?? [], requirements: decoded.requirements ?? [] };
};

export const authorizationTemplate = '/deployments/{deploymentId}/authorization';
