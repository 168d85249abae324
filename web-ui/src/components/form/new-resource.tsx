import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { kinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';

/** Opens the form of a new resource in another tab, so that what was typed here stays. The list of choices follows by itself. */
export function NewResource({ kind }: { readonly kind: Kind }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        // The other tab is of the same session, which a token keeps in this one.
        <Link {...props} to="/new/$kind" params={{ kind }} target="_blank" rel="opener" />
      )}
    >
      {t('New {kind}', { kind: kinds[kind].singular })} ↗
    </Anchor>
  );
}
