import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mono } from '@/components/mono';
import type { Kind } from '@/lib/kinds';

export function ResourceLink({ kind, id }: { kind: Kind; id: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/$kind/$id" params={{ kind, id }} />}>
      <Mono>{id}</Mono>
    </Anchor>
  );
}
