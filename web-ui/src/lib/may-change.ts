import { kinds, type Kind } from '@/lib/kinds';
import { useHasRole, useMayWrite, useSession } from '@/lib/session';
import { listed, t } from '@/locales';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns why whoever is logged in may not change resources of a kind, or one that has these labels, in a sentence; undefined where one
 * may. While it is not known who it is, the control plane decides.
 *
 * @param labels undefined asks for the kind alone
 */
export function useReadOnly(kind: Kind, labels?: Labels): string | undefined {
  const mayChange = useHasRole('EDITOR');
  const mayWrite = useMayWrite();
  const limit = useLimit();
  if (!mayChange) {
    return t('Your role, viewer, cannot change this.');
  }
  if (!mayWrite(kinds[kind].contractKind)) {
    return t('Your token cannot change {plural}.', { plural: kinds[kind].plural });
  }
  return readOnlyBy(limit, labels);
}

/** Returns what says of labels, as {@link useReadOnly} does, why a resource of a kind that may be changed may not. */
export function useReadOnlyLabels(): (labels: Labels | undefined) => string | undefined {
  const limit = useLimit();
  return (labels) => readOnlyBy(limit, labels);
}

function readOnlyBy(limit: Limit, labels: Labels | undefined): string | undefined {
  const lacking = labels === undefined ? [] : limit.lacking(labels);
  return lacking.length === 0
    ? undefined
    : t('Your token changes only resources with the label {labels}.', { labels: listed(lacking) });
}

/** To what a restricted token is limited. */
export interface Limit {
  /** Whether there is one at all. */
  readonly some: boolean;
  /** Undefined without one. */
  readonly labels: Labels | undefined;
  /** Returns the labels, as key=value, that a change asks for and that these are not. */
  lacking(labels: Labels): readonly string[];
}

export function useLimit(): Limit {
  const { kinds: some = [], labels = {} } = useSession().account ?? {};
  const needed = Object.entries(labels);
  return {
    some: some.length + needed.length > 0,
    labels: needed.length === 0 ? undefined : labels,
    lacking: (own) =>
      needed.filter(([key, value]) => own[key] !== value).map(([key, value]) => `${key}=${value}`),
  };
}

/**
 * Returns why whoever is logged in may not see the traffic of a route or an upstream that has these labels, in a sentence; undefined where
 * one may.
 */
export function useUnseenTraffic(labels: Labels): string | undefined {
  const lacking = useLimit().lacking(labels);
  return lacking.length === 0
    ? undefined
    : t('Your token sees the traffic of resources with the label {labels} only.', {
        labels: listed(lacking),
      });
}
