/** The route of a path. */

import { createRouteMatcher } from '../../lambda/http/match-route';

const match = createRouteMatcher(['/', '/api/image', '/api/image/id/{id}', '/api/image/{spec+}', '/{path+}']);

test.each([
  ['/', '/', {}],
  ['', '/', {}],
  ['/api/image', '/api/image', {}],
  ['/api/image/', '/api/image', {}],
  ['/api/image/300x200-a%2Fb', '/api/image/{spec+}', { spec: '300x200-a%2Fb' }],
  ['/api/image/300x200-a/b/c', '/api/image/{spec+}', { spec: '300x200-a/b/c' }],
  ['/api/image/id/abc', '/api/image/id/{id}', { id: 'abc' }],
  ['/api/image/id/abc/d', '/api/image/{spec+}', { spec: 'id/abc/d' }],
  ['/API/image', '/{path+}', { path: 'API/image' }],
  ['/api//image', '/{path+}', { path: 'api//image' }],
])('the path %s takes the route %s', (path, resource, pathParameters) => {
  expect(match(path)).toEqual({ resource, pathParameters });
});

test('an unknown path matches the empty resource', () => {
  expect(createRouteMatcher(['/api/image'])('/elsewhere')).toEqual({ resource: '', pathParameters: {} });
});
