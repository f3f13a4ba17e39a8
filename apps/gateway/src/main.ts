import { runService } from '@quarry/service-kit';
import { cacheDrizzleResolution } from './database/drizzle-resolution.js';

// The cache must be registered before the first module that imports drizzle-orm is loaded.
const endCaching = cacheDrizzleResolution();
const { startGatewayService } = await import('./start-gateway-service.js');
endCaching();

await runService('gateway', () => startGatewayService(process.env));
