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

interface UnknownField {
  readonly name: string;
  /** Whatever JSON the service sent, at any depth (see `jsonPreview`). */
  readonly value: unknown;
}

/** The fields of a decoded object that the reference (2.1, 2.3) does not name, in the order in which they came. */
export function unknownFields(object: object, kind: ObjectKind): readonly UnknownField[] {
  return Object.entries(object)
    .filter(([name]) => !Object.hasOwn(fieldsOf[kind], name))
    .map(([name, value]: [string, unknown]) => ({ name, value }));
}
