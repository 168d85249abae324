import type { Kind, Resources } from '@/lib/kinds';

/** What the control plane shows in place of a secret. */
const HIDDEN = '[redacted]';

/** The label of an import. Of upstreams, proxy passes and routers only those with the id of the import may have it. */
const IMPORT = 'openapi.import';

/**
 * Returns what a copy of a resource starts from: no id, and none of what only the original can have. Secrets are not shown, so a copy
 * can not take them along, and two consumers can not share a key.
 */
export function copyOf<K extends Kind>(resource: Resources[K]): Partial<Resources[K]> {
  const labels =
    'routerId' in resource
      ? resource.labels
      : resource.labels &&
        Object.fromEntries(Object.entries(resource.labels).filter(([key]) => key !== IMPORT));
  return withoutHidden({
    ...resource,
    id: undefined,
    apiKeys: undefined,
    logins: undefined,
    labels,
  }) as Partial<Resources[K]>;
}

function withoutHidden(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutHidden);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== HIDDEN)
      .map(([key, inner]) => [key, withoutHidden(inner)]),
  );
}
