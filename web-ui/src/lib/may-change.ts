import { kinds, type Kind } from '@/lib/kinds';
import { useHasRole, useSession } from '@/lib/session';
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
  const limit = useLimit();
  if (!mayChange) {
    return t('Your role, viewer, cannot change this.');
  }
  if (!limit.takes(kind)) {
    return t('Your token cannot change {plural}.', { plural: kinds[kind].plural });
  }
  const lacking = labels === undefined ? [] : limit.lacking(labels);
  return lacking.length === 0
    ? undefined
    : t('Your token changes only resources with the label {labels}.', { labels: listed(lacking) });
}

/** To what a restricted token is limited. */
export interface Limit {
  /** Undefined without one. */
  readonly labels: Labels | undefined;
  takes(kind: Kind): boolean;
  /** Returns the labels, as key=value, that a change asks for and that these are not. */
  lacking(labels: Labels): readonly string[];
}

export function useLimit(): Limit {
  const { kinds: some = [], labels = {} } = useSession().account ?? {};
  const needed = Object.entries(labels);
  return {
    labels: needed.length === 0 ? undefined : labels,
    takes: (kind) => some.length === 0 || some.includes(kinds[kind].contractKind),
    lacking: (own) =>
      needed.filter(([key, value]) => own[key] !== value).map(([key, value]) => `${key}=${value}`),
  };
}
