/** What the templates of the stages promise; in one test file, so that the CDK is loaded once and each stage synthesised once. */

describe('stores', () => {
  require('./template/stores');
});
describe('functions', () => {
  require('./template/functions');
});
describe('environment', () => {
  require('./template/environment');
});
describe('image API', () => {
  require('./template/image-api');
});
describe('edge', () => {
  require('./template/edge');
});
describe('monitoring', () => {
  require('./template/monitoring');
});
describe('real account', () => {
  require('./template/real-account');
});
describe('facts of a real account', () => {
  require('./template/real-account-facts');
});
describe('what reviewers have read', () => {
  require('./template/reviewed');
});
describe('recovery', () => {
  require('./template/recovery');
});
