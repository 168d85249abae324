import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@/app/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/app';
import { newQueryClient } from '@/app/query-client';
import { newRouter } from '@/app/new-router';
import { restoreSession } from '@/lib/api/sessions';
import { takeTokenFromHash } from '@/lib/session';
import { loadSentences } from '@/locales';
import { loadServer } from '@/locales/server';

// Before the router looks at the session and at the address.
takeTokenFromHash();

const root = document.getElementById('root');
if (root === null) {
  throw new Error('index.html has no element with the id root');
}
const reactRoot = createRoot(root);
void Promise.all([loadSentences(), loadServer()])
  .then(restoreSession)
  .then(() => {
    const queryClient = newQueryClient();
    reactRoot.render(
      <StrictMode>
        <App router={newRouter(queryClient)} queryClient={queryClient} />
      </StrictMode>,
    );
    void import('@/app/reloaded-place').then(({ keepPlaceOverReloads }) => keepPlaceOverReloads());
  });
