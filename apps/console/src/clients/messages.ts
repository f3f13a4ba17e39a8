import { defineMessages } from '../language/define-messages.js';

export const clientsMessages = defineMessages({
  en: {
    mcpTitle: 'Assistants and editors (MCP)',
    mcpText: 'Assistants search the datastores and ask the agents that the key includes.',
    mcpAgentText: 'At this address, assistants use this agent and its datastores only.',
    address: 'Address',
    client: 'Client',
    configuration: 'Configuration of the client',
    openAiTitle: 'Clients of OpenAI’s API',
    openAiText: 'SDKs and chat programs connect to this address. Agents are models there.',
    baseAddress: 'Base address',
    model: 'Model',
    keyHint: (placeholder: string) =>
      `Replace ${placeholder} with an API key that has the scope “query”. Give each program a key of its own.`,
  },
  de: {
    mcpTitle: 'Assistenten und Editoren (MCP)',
    mcpText: 'Assistenten durchsuchen die Datastores und fragen die Agenten, die der Schlüssel umfasst.',
    mcpAgentText: 'Unter dieser Adresse verwenden Assistenten nur diesen Agenten und seine Datastores.',
    address: 'Adresse',
    client: 'Client',
    configuration: 'Konfiguration des Clients',
    openAiTitle: 'Clients der OpenAI-API',
    openAiText: 'SDKs und Chatprogramme verbinden sich mit dieser Adresse. Agenten sind dort Modelle.',
    baseAddress: 'Basisadresse',
    model: 'Modell',
    keyHint: (placeholder: string) =>
      `Ersetzen Sie ${placeholder} durch einen API-Schlüssel mit der Berechtigung „query“. Geben Sie jedem Programm einen eigenen.`,
  },
});
