import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { kinds, type Kind } from '@/lib/kinds';
import { useStaged } from '@/lib/staged';
import { rich } from '@/locales';

/** Names what is staged to be created, which a list cannot have. */
export function StagedCreations({ kind }: { readonly kind: Kind }) {
  const created = useStaged().filter((one) => one.kind === kind && one.base === undefined);
  return (
    created.length > 0 && (
      <Text size="sm" mb="sm">
        {rich('Staged, not published yet: new {kind} {resources}', {
          kind: created.length === 1 ? kinds[kind].singular : kinds[kind].plural,
          resources: created.map(({ id }, i) => (
            <Fragment key={id}>
              {i > 0 && ', '}
              <Anchor
                inherit
                renderRoot={(props) => (
                  <Link {...props} to="/new/$kind" params={{ kind }} search={{ from: id }} />
                )}
              >
                {id}
              </Anchor>
            </Fragment>
          )),
        })}
      </Text>
    )
  );
}
