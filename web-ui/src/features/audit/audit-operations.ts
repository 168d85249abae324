import { allKinds, kinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';

const verbs: readonly (readonly [string, (kind: Kind) => string])[] = [
  ['create', (kind) => t('Create {singular}', { singular: kinds[kind].singular })],
  ['put', (kind) => t('Save {singular}', { singular: kinds[kind].singular })],
  ['patch', (kind) => t('Change {singular}', { singular: kinds[kind].singular })],
  ['delete', (kind) => t('Delete {singular}', { singular: kinds[kind].singular })],
];

/** From the name of each operation that changes something to what people call it. */
const names: ReadonlyMap<string, string> = new Map([
  ...allKinds.flatMap((kind) =>
    verbs.map(([verb, nameOf]) => [verb + pascal(kinds[kind].contractKind), nameOf(kind)] as const),
  ),
  ['batch', t('Several changes')],
  ['rollBackRevision', t('Roll back')],
  ['putConfig', t('Replace the state')],
  ['importSigmaJson', t('Import sigma.json')],
  ['importOpenApi', t('Import OpenAPI')],
  ['removeOpenApiImport', t('Remove an import')],
  ['waiveGateway', t('Waive a gateway')],
  ['endGatewayWaiver', t('End a waiver')],
  ['revokeGateway', t('Revoke a gateway')],
  ['readmitGateway', t('Readmit a gateway')],
  ['closeGatewayConnection', t('Close a connection')],
  ['testRoute', t('Test a route')],
  ['logIn', t('Log in')],
  ['logOut', t('Log out')],
  ['changeOwnPassword', t('Change own password')],
  ['createUser', t('Create a user')],
  ['patchUser', t('Change a user')],
  ['deleteUser', t('Delete a user')],
  ['createApiToken', t('Create an API token')],
  ['deleteApiToken', t('Revoke an API token')],
  ['reencryptSecrets', t('Encrypt secrets again')],
  ['firstStart', t('First start')],
]);

export const operations: readonly string[] = [...names.keys()];

/** Returns what people call an operation; its own name if it is not known here. */
export function operationName(operation: string): string {
  return names.get(operation) ?? operation;
}

/** Returns the kind and the id of `ROUTE/shop`; the kind is undefined unless its resources have pages. */
export function entityOf(entity: string): {
  readonly contractKind: string;
  readonly kind: Kind | undefined;
  readonly id: string;
} {
  const end = entity.indexOf('/');
  const contractKind = entity.slice(0, Math.max(0, end));
  return {
    contractKind,
    kind: allKinds.find((kind) => kinds[kind].contractKind === contractKind),
    id: entity.slice(end + 1),
  };
}

function pascal(contractKind: string): string {
  return contractKind
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
