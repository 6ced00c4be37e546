import {
  accountErrorFields,
  accountFields,
  connectionFields,
  deploymentAuthorizationFields,
  requirementFields,
} from './authorization.js';
import { integrationInstallFields } from './install.js';

const fieldsOf = {
  deploymentAuthorization: deploymentAuthorizationFields,
  account: accountFields,
  accountError: accountErrorFields,
  requirement: requirementFields,
  connection: connectionFields,
  integrationInstall: integrationInstallFields,
};

export type ObjectKind = keyof typeof fieldsOf;

/** The names of the fields of a decoded object that `docs/service.md` does not name, in the order in which they came. */
export function unknownFields(object: object, kind: ObjectKind): readonly string[] {
  return Object.keys(object).filter((name) => !Object.hasOwn(fieldsOf[kind], name));
}
