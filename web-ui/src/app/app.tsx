import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { newRouter } from '@/app/new-router';
import { cssVariables, theme } from '@/app/theme';
import { followOtherTabs } from '@/lib/api/sessions';
import { currentSession, isLoggedIn, subscribeToSession } from '@/lib/session';

interface AppProps {
  readonly router: ReturnType<typeof newRouter>;
  readonly queryClient: QueryClient;
  /** Without, dialogs and menus are there at once. */
  readonly animated?: boolean;
}

export function App({ router, queryClient, animated = true }: AppProps) {
  useEffect(() => followSession(router, queryClient), [router, queryClient]);
  useEffect(followOtherTabs, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      env={animated ? 'default' : 'test'}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function followSession(router: AppProps['router'], queryClient: QueryClient): () => void {
  let before = currentSession();
  return subscribeToSession(() => {
    const last = before;
    before = currentSession();
    if (before.expired) {
      // The page stays, with what was typed; the dialog over it asks for a login.
      return;
    }
    if (before.person !== last.person) {
      // What one person saw is not for the next.
      queryClient.clear();
    } else if (last.expired) {
      void queryClient.invalidateQueries();
    }
    if (before.person !== last.person && isLoggedIn(last) && isLoggedIn()) {
      void router.navigate({ to: '/', ignoreBlocker: true });
    } else {
      // The routes look at the session: to the login page, or from it.
      void router.invalidate();
    }
  });
}
