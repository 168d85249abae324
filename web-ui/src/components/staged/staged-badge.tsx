import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Kind } from '@/lib/kinds';
import { useStagedChange } from '@/lib/staged';
import { t } from '@/locales';

/** Says beside a resource that a change of it is staged. */
export function StagedBadge({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const change = useStagedChange(kind, id);
  return (
    change !== undefined && (
      <Badge
        ml={6}
        size="sm"
        color="yellow"
        variant="light"
        tt="none"
        style={{ cursor: 'pointer' }}
        renderRoot={(props) => <Link {...props} to="/staged" />}
      >
        {t(change.body === undefined ? 'deletion staged' : 'change staged')}
      </Badge>
    )
  );
}
