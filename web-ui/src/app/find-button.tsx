import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { loadPalette } from '@/app/pages';
import classes from '@/app/shell.module.css';
import { t } from '@/locales';

const ON_APPLE = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Opens what finds everything; its script comes when it is asked for. */
export function FindButton() {
  const [asked, setAsked] = useState(0);
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadPalette>>>();
  const ask = () => {
    setAsked((times) => times + 1);
    loadPalette()
      .then(setLoaded)
      .catch((failure: unknown) =>
        setLoaded(() => {
          throw failure;
        }),
      );
  };
  // From within fields, too: who types in a form looks something up.
  useHotkeys([['mod+K', ask]], []);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        fw={400}
        px={8}
        className={classes.iconOnPhones}
        aria-label={t('Search everything')}
        aria-keyshortcuts={ON_APPLE ? 'Meta+K' : 'Control+K'}
        leftSection={<IconSearch size={16} />}
        onClick={ask}
      >
        <span className={classes.word}>{t('Search')}</span>
        <Kbd size="xs" ml={8} visibleFrom="md">
          {ON_APPLE ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </Button>
      {/* Not by Suspense, which shows what was loaded 300 ms later than it could. */}
      {loaded !== undefined && <loaded.Palette asked={asked} />}
    </>
  );
}
