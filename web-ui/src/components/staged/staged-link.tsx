import { Box, Button } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useStaged } from '@/lib/staged';
import { t } from '@/locales';

/** Leads to what is staged, as long as something is. */
export function StagedLink() {
  const { length } = useStaged();
  return (
    length > 0 && (
      <Button
        size="compact-sm"
        variant="light"
        color="yellow"
        px={8}
        aria-label={t('Staged changes: {number}', { number: length })}
        renderRoot={(props) => <Link {...props} to="/staged" />}
      >
        {/* Phones have room for the number alone. */}
        <Box component="span" visibleFrom="xs" mr={6} lh={0}>
          <IconStack2 size={16} />
        </Box>
        {length}
      </Button>
    )
  );
}
