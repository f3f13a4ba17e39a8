export { hasS3Server, startTestS3, type TestS3 } from './start-test-s3.js';
