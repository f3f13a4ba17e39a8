import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { ConsoleUnderTest } from './console-under-test.js';
import { startConsole } from './console-under-test.js';
import { testAddedContent } from './added-content.js';
import { testAgentChatReturn } from './agent-chat-return.js';
import { testAgents } from './agents.js';
import { testChatFeedback } from './chat-feedback.js';
import { testChooseDatastores } from './choose-datastores.js';
import { testClosestPassages } from './closest-passages.js';
import { testDialogSizes } from './dialog-sizes.js';
import { testPageAddress } from './page-address.js';
import { testAskDatastore } from './ask-datastore.js';
import { testLongConversation } from './long-conversation.js';
import { testLongList } from './long-list.js';
import { testLostConnection } from './lost-connection.js';
import { testDatasource } from './datasource.js';
import { testDatasources } from './datasources.js';
import { testDatastores } from './datastores.js';
import { testConsoleFileDelivery } from './delivery.js';
import { testDryRun } from './dry-run.js';
import { testDocuments } from './documents.js';
import { testEvaluations } from './evaluations.js';
import { testFirstRun } from './first-run.js';
import { testFirstRunReturn } from './first-run-return.js';
import { testConsoleFrame } from './frame.js';
import { findChromiumPath } from './find-chromium-path.js';
import { testKeyboard } from './keyboard.js';
import { testKeys } from './keys.js';
import { testRowLimits } from './row-limits.js';
import { testScriptInjection } from './script-injection.js';
import { testScriptInjectionInUse } from './script-injection-in-use.js';
import { testSessions } from './sessions.js';
import { testConnectModels } from './connect-models.js';
import { testMissingItems } from './missing-items.js';
import { testNarrowTables } from './narrow-tables.js';
import { testNumberFields } from './number-fields.js';
import { testPassages } from './passages.js';
import { testOrganizations } from './organizations.js';
import { testPageQuality } from './page-quality.js';
import { testPlayground } from './playground.js';
import { testSignIn } from './sign-in.js';
import { testSystem } from './system.js';
import { testTenants } from './tenants.js';
import { testTextDirection } from './text-direction.js';
import { testToasts } from './toasts.js';
import { testUnsentUploads } from './unsent-uploads.js';
import { testUpload } from './uploads.js';
import { testUsage } from './usage.js';
import { testWatchedContent } from './watched-content.js';
import { testWebhooks } from './webhooks.js';

/**
 * Functions that define the suites of the console. The suites share one Quarry; each test has its own organizations.
 */
const TESTS = [
  // This suite runs first, because the organizations of the other suites would lengthen the operator's list.
  testPageQuality,
  testSignIn,
  testSessions,
  testLostConnection,
  testFirstRun,
  testWatchedContent,
  testPageAddress,
  testFirstRunReturn,
  testConsoleFrame,
  testConsoleFileDelivery,
  testDatastores,
  testDatasources,
  testAskDatastore,
  testToasts,
  testLongConversation,
  testLongList,
  testRowLimits,
  testUpload,
  testUnsentUploads,
  testAddedContent,
  testDatasource,
  testDryRun,
  testTenants,
  testAgents,
  testChatFeedback,
  testChooseDatastores,
  testClosestPassages,
  testDialogSizes,
  testMissingItems,
  testTextDirection,
  testNarrowTables,
  testNumberFields,
  testPassages,
  testAgentChatReturn,
  testDocuments,
  testKeys,
  testEvaluations,
  testConnectModels,
  testScriptInjection,
  testScriptInjectionInUse,
  testSystem,
  testUsage,
  testWebhooks,
  testOrganizations,
  testPlayground,
  testKeyboard,
];

const executable = findChromiumPath();

if (executable === undefined) {
  describe.skip('the console (skipped: there is no Chromium on this machine; QUARRY_CHROMIUM can contain the path of one)', () => {
    it('the console works in a browser', () => undefined);
  });
} else {
  describe('the console', () => {
    let running: ConsoleUnderTest;
    beforeAll(async () => {
      running = await startConsole(executable);
    });
    afterEach(async ({ task }) => {
      const shown = task.result?.state === 'fail' ? await running.describePages() : undefined;
      await running.closePages();
      if (shown !== undefined) throw new Error(`When the test failed, the console showed:\n${shown}`);
    });
    afterAll(async () => {
      await running.stop();
    });
    for (const test of TESTS) test(() => running);
  });
}
