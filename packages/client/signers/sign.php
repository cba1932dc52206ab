<?php
// Signs an image URL of either form. $expires, in Unix seconds, may be absent.
function sign(string $url, string $id, string $secret, string $expires = ''): string
{
    $names = explode(' ', 'alt avoid color crop height label lang license onmiss pick provider query seed style upto variation visibility width');
    parse_str((string) parse_url($url, PHP_URL_QUERY), $given);
    $short = ['q' => 'query', 'w' => 'width', 'h' => 'height'];
    $values = [];
    foreach ($given as $name => $value) {
        $name = preg_replace('/^(amp;)+/', '', (string) $name);
        $values[$short[$name] ?? $name] = $value;
    }
    $values = array_intersect_key($values, array_flip($names));
    $segment = rawurldecode(explode('/api/image/', (string) parse_url($url, PHP_URL_PATH), 2)[1] ?? '');
    $segment = preg_replace('/\.(jpe?g|webp|avif|png|gif|svg|bmp|tif)$/iD', '', $segment);
    if (preg_match('~^(\d+)x(\d+)(?:[-_+/ ](.*))?$~sD', $segment, $path)) {
        $words = trim(preg_replace('~[-_+/ ]+~', ' ', $path[3] ?? ''), ' ');
        $values = ['width' => $path[1], 'height' => $path[2], 'query' => $words] + $values;
    }
    if (isset($values['upto'])) unset($values['width'], $values['height']);
    ksort($values);
    $canonical = http_build_query($values, '', '&', PHP_QUERY_RFC3986);
    $key = base64_decode(strtr(substr($secret, 9, 43), '-_', '+/'));
    $mac = hash_hmac('sha256', "image-redirect/v1\n$id\n$expires\n$canonical", $key, true);
    $signature = rtrim(strtr(base64_encode(substr($mac, 0, 16)), '+/', '-_'), '=');
    $end = $expires === '' ? '' : "&expires=$expires";
    return $url . (str_contains($url, '?') ? '&' : '?') . "signer=$id$end&signature=$signature";
}
