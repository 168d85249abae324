import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mono } from '@/components/mono';
import type { Kind } from '@/lib/kinds';

interface ResourceLinkProps {
  readonly kind: Kind;
  readonly id: string;
  /** Stands in the list of this kind, to which the page of the resource leads back. */
  readonly fromList?: boolean;
}

export function ResourceLink({ kind, id, fromList = false }: ResourceLinkProps) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/$kind/$id"
          params={{ kind, id }}
          {...(fromList ? { state: { fromList: kind } } : {})}
        />
      )}
    >
      <Mono>{id}</Mono>
    </Anchor>
  );
}
