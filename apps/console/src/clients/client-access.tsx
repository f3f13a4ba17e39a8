import { useState, type ReactNode } from 'react';
import { CodeBlock } from '../components/code-block.js';
import '../components/panel.css';
import { Select } from '../components/select.js';
import { useMessages } from '../language/language-context.js';
import { buildClientAddresses } from './client-addresses.js';
import './client-access.css';
import { formatMcpConfiguration, KEY_PLACEHOLDER, MCP_CLIENTS, type McpClient } from './mcp-configuration.js';
import { clientsMessages } from './messages.js';

interface ClientAccessProps {
  /**
   * The id of the only agent that connected programs can use. Absent: they can use everything to which their API key
   * gives access.
   */
  readonly agentId?: string;
}

/** Shows the addresses at which other programs, such as MCP clients, connect to Quarry, with configurations to copy. */
export function ClientAccess({ agentId }: ClientAccessProps): ReactNode {
  const messages = useMessages(clientsMessages);
  // The gateway sets <base> to the address of the console. The addresses of MCP and of OpenAI's API are relative to it.
  const addresses = buildClientAddresses(new URL('.', document.baseURI), agentId);
  const [client, setClient] = useState<McpClient>('claudeCode');
  return (
    <div className="client-access">
      <section aria-label={messages.mcpTitle} className="panel">
        <h2>{messages.mcpTitle}</h2>
        <p className="muted">{agentId === undefined ? messages.mcpText : messages.mcpAgentText}</p>
        <LabeledCode code={addresses.mcp} label={messages.address} />
        <Select label={messages.client} onChange={setClient} options={MCP_CLIENTS} value={client} />
        <CodeBlock code={formatMcpConfiguration(client, addresses.mcp)} isWrapped label={messages.configuration} />
        <p className="muted">{messages.keyHint(KEY_PLACEHOLDER)}</p>
      </section>
      <section aria-label={messages.openAiTitle} className="panel">
        <h2>{messages.openAiTitle}</h2>
        <p className="muted">{messages.openAiText}</p>
        <LabeledCode code={addresses.openAi} label={messages.baseAddress} />
        {addresses.model !== undefined && <LabeledCode code={addresses.model} label={messages.model} />}
      </section>
    </div>
  );
}

function LabeledCode({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  return (
    <div className="labeled-code">
      <h3>{label}</h3>
      <CodeBlock code={code} isWrapped label={label} />
    </div>
  );
}
