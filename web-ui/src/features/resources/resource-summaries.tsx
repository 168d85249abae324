import type { ReactNode } from 'react';
import { RouteSummary } from '@/features/resources/summary/route-summary';
import type { Kind, Resources } from '@/lib/kinds';

interface SummaryProps<K extends Kind> {
  readonly id: string;
  readonly resource: Resources[K];
}

/** What the page of a kind shows first. A kind without a summary shows its form. */
const summaries: { readonly [K in Kind]?: (props: SummaryProps<K>) => ReactNode } = {
  routes: (props) => <RouteSummary {...props} />,
};

export function hasSummary(kind: Kind): boolean {
  return summaries[kind] !== undefined;
}

export function summaryOf<K extends Kind>(kind: K, props: SummaryProps<K>): ReactNode {
  return summaries[kind]?.(props);
}
