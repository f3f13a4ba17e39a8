import { runService } from '@quarry/service-kit';
import { cacheDrizzleResolution } from './database/drizzle-resolution.js';

// Registered before modules are loaded that import drizzle-orm.
const endCaching = cacheDrizzleResolution();
const { startGatewayService } = await import('./start-gateway-service.js');
endCaching();

await runService('gateway', () => startGatewayService(process.env));
