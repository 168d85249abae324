import { ActionIcon, AppShell, Burger, Button, Container, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Fragment, Suspense, useEffect } from 'react';
import { useLiveUpdates } from '@/app/live-updates';
import { AccountMenu } from '@/app/account-menu';
import { FindButton } from '@/app/find-button';
import { Navigation } from '@/app/navigation';
import { loadAhead } from '@/app/pages';
import classes from '@/app/shell.module.css';
import { useScheme } from '@/app/use-scheme';
import { AttentionLink } from '@/components/attention/attention-link';
import { LanguageMenu } from '@/components/language-menu';
import { Logo } from '@/components/logo';
import { RefusedBanner } from '@/components/refused-banner';
import { StagedLink } from '@/components/staged/staged-link';
import { StaleBanner } from '@/components/stale-banner';
import { ExpiredDialog } from '@/features/session/expired-dialog';
import { PasswordPage } from '@/features/session/password-page';
import { listGateways } from '@/lib/api/list-gateways';
import { latestRevisions } from '@/lib/api/list-revisions';
import { logOut, whoItIs } from '@/lib/api/sessions';
import { useSession } from '@/lib/session';
import { rich, t } from '@/locales';

/** Longer than a dialog takes to disappear. */
const LEAVING_MILLIS = 400;

/** The frame of every page for somebody who is logged in. */
export function Shell() {
  const { account, token, person, expired } = useSession();
  // Before that a page can not know what to offer. It is asked again until somebody answers.
  useQuery({ ...whoItIs, enabled: token !== undefined && account === undefined && !expired });
  return (
    // By person: nothing of what one has typed is left for the next.
    <Fragment key={person}>
      {account?.mustChangePassword === true ? <PasswordFirst /> : <Frame />}
      <ExpiredDialog />
    </Fragment>
  );
}

/** Nothing else: the control plane refuses it, and keeps a record of each time. */
function PasswordFirst() {
  return (
    <Container component="main" size="xs" py="xl">
      <PasswordPage />
      <Button mt="md" variant="subtle" color="gray" onClick={() => void logOut()}>
        {t('Log out')}
      </Button>
    </Container>
  );
}

function Frame() {
  const live = useLiveUpdates();
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [pathname, close]);
  useFocusOnPageChange();
  useEffect(loadAhead, []);

  return (
    <AppShell
      header={{ height: 54 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <a href="#content" className={classes.skip}>
        {t('Skip to the content')}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('Navigation')}
          aria-expanded={opened}
          aria-controls="navigation"
        />
        <Link to="/" className={classes.brand} aria-label={t('Sigma, overview')}>
          <Logo />
          <span>Sigma</span>
        </Link>
        <Group ml="auto" gap="sm" wrap="nowrap">
          <FindButton />
          <StagedLink />
          <AttentionLink />
          <FleetSummary live={live} />
          {/* Phones have these in the menu of the account. */}
          <Group gap="sm" wrap="nowrap" visibleFrom="xs">
            <SchemeToggle />
            <LanguageMenu />
          </Group>
          <AccountMenu />
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            visibleFrom="xs"
            leftSection={<IconLogout size={16} />}
            onClick={() => void logOut()}
          >
            {t('Log out')}
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        component="div"
        id="navigation"
        className={classes.navbar}
        data-opened={opened || undefined}
      >
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <div className={classes.bleed}>
          <StaleBanner />
          <RefusedBanner />
        </div>
        <div className={classes.page}>
          {/* The script of a page may still be on its way. */}
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Who uses the keyboard goes on from the new page when what had the focus is gone with the page before. */
function useFocusOnPageChange(): void {
  const router = useRouter();
  useEffect(() => {
    let waiting: number | undefined;
    const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      // Nothing is lost with the first page: Tab leads to the link that skips the navigation.
      if (fromLocation !== undefined && pathChanged) {
        focusContentIfLost();
        // What is on its way out of the screen keeps the focus until it is gone.
        window.clearTimeout(waiting);
        waiting = window.setTimeout(focusContentIfLost, LEAVING_MILLIS);
      }
    });
    return () => {
      window.clearTimeout(waiting);
      stop();
    };
  }, [router]);
}

function focusContentIfLost(): void {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || !focused.isConnected) {
    document.getElementById('content')?.focus({ preventScroll: true });
  }
}

function FleetSummary({ live }: { live: boolean }) {
  const revisions = useQuery(latestRevisions);
  const gateways = useQuery(listGateways);
  const head = revisions.data?.[0]?.number;
  const known = gateways.data;
  const current = known?.filter(({ state }) => state === 'CURRENT').length ?? 0;
  return (
    <Group gap="md" wrap="nowrap" className={classes.summary}>
      <Text size="sm">
        {head === undefined ? (
          t('No revision yet')
        ) : (
          <Link to="/revisions/$number" params={{ number: String(head) }} className={classes.quiet}>
            {rich('Revision {number}', { number: <strong>{head}</strong> })}
          </Link>
        )}
      </Text>
      {known !== undefined && (
        <Text size="sm">
          <Link to="/gateways" className={classes.quiet}>
            {known.length === 0
              ? t('No gateway')
              : rich(known.length === 1 ? '{share} gateway current' : '{share} gateways current', {
                  share: <strong>{t('{part} of {all}', { part: current, all: known.length })}</strong>,
                })}
          </Link>
        </Text>
      )}
      <Tooltip label={live ? t('Live updates') : t('Waiting for the control plane')}>
        <span className={classes.live} data-live={live} role="status">
          {live ? t('Live') : t('No live updates')}
        </span>
      </Tooltip>
    </Group>
  );
}

function SchemeToggle() {
  const { dark, switchScheme } = useScheme();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={dark ? t('Use light colours') : t('Use dark colours')}
      onClick={switchScheme}
    >
      {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
