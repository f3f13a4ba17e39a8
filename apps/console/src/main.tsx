import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './shell/layout.css';
import { keepFocus } from './keyboard/keep-focus.js';
import { App } from './shell/app.js';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

keepFocus();

// The gateway sets <base> to the address of the console, also below a path prefix.
createRoot(root).render(
  <StrictMode>
    <App baseUrl={new URL('.', document.baseURI)} />
  </StrictMode>,
);
