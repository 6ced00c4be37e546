import { array, boolean, type Decoder, type Fields, nullable, object, string } from './decode.js';
import type {
  Account,
  AccountError,
  Connection,
  DeploymentAuthorization,
  Requirement,
} from './deploymentAuthorization.js';

export const accountErrorFields: Fields<AccountError> = { code: string, message: string };

export const accountFields: Fields<Account> = {
  id: string,
  label: string,
  serviceId: string,
  serviceSub: string,
  connectionMethodId: string,
  scopes: array(string),
  checkedAt: string,
  error: nullable(object(accountErrorFields)),
};

export const connectionFields: Fields<Connection> = {
  connectionMethodId: string,
  minimalScopes: array(string),
  requiredScopes: array(string),
};

export const requirementFields: Fields<Requirement> = {
  serviceId: string,
  accountId: string,
  binding: string,
  satisfied: boolean,
  eligibleAccountIds: array(string),
  connections: array(object(connectionFields)),
};

export const deploymentAuthorizationFields: Fields<DeploymentAuthorization> = {
  accounts: array(object(accountFields)),
  requirements: array(object(requirementFields)),
};

const decodeFields = object(deploymentAuthorizationFields, ['accounts', 'requirements']);

/** Reference, 2.3. One array without the other is usable; with neither the answer is something else. */
export const decodeDeploymentAuthorization: Decoder<DeploymentAuthorization> = (value, problems) => {
  const decoded: Partial<DeploymentAuthorization> | undefined = decodeFields(value, problems);
  if (!decoded || (!decoded.accounts && !decoded.requirements)) {
    return undefined;
  }
  return hasBoth(decoded)
    ? decoded
    : { ...decoded, accounts: decoded.accounts ?? [], requirements: decoded.requirements ?? [] };
};

function hasBoth(decoded: Partial<DeploymentAuthorization>): decoded is DeploymentAuthorization {
  return decoded.accounts !== undefined && decoded.requirements !== undefined;
}
