import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './shell/layout.css';
import { startFocusRecovery } from './keyboard/start-focus-recovery.js';
import { App } from './shell/app.js';

const root = document.getElementById('root');
if (root === null) throw new Error('expected an element with the id root in index.html, found none');

startFocusRecovery();

// The gateway sets <base> to the address of the console, which may contain a path prefix.
createRoot(root).render(
  <StrictMode>
    <App baseUrl={new URL('.', document.baseURI)} />
  </StrictMode>,
);
