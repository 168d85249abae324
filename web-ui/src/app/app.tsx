import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { newRouter } from '@/app/router';
import { cssVariables, theme } from '@/app/theme';
import { isLoggedIn, subscribeToSession } from '@/lib/session';

interface AppProps {
  readonly router: ReturnType<typeof newRouter>;
  readonly queryClient: QueryClient;
}

export function App({ router, queryClient }: AppProps) {
  useEffect(
    () =>
      subscribeToSession(() => {
        if (!isLoggedIn()) {
          // What one person saw is not for the next.
          queryClient.clear();
        }
        // The routes look at the session: to the login page, or from it.
        void router.invalidate();
      }),
    [router, queryClient],
  );
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
