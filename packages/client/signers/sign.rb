# Signs an image URL of either form. `expires`, in Unix seconds, may be absent.
require 'base64'
require 'openssl'
require 'uri'

NAMES = %w[alt avoid color crop height label lang license onmiss pick provider query seed style upto variation visibility width].freeze
SHORT = { 'q' => 'query', 'w' => 'width', 'h' => 'height' }.freeze

def sign(url, id, secret, expires = '')
  path, _, query = url.partition('?')
  values = query.split('&').to_h { |pair| pair.split('=', 2).map { |text| URI.decode_www_form_component(text) }.push('').first(2) }
  values = values.transform_keys { |name| name.sub(/\A(amp;)+/, '').then { |full| SHORT.fetch(full, full) } }.slice(*NAMES)
  segment = URI::DEFAULT_PARSER.unescape(path[%r{/api/image/(.+)}, 1] || '').force_encoding('UTF-8').sub(/\.(jpe?g|webp|avif|png|gif|svg|bmp|tif)\z/i, '')
  if (found = %r{\A(\d+)x(\d+)(?:[-_+/ ](.*))?\z}m.match(segment))
    words = found[3].to_s.gsub(%r{[-_+/ ]+}, ' ').gsub(/\A | \z/, '')
    values = values.merge('width' => found[1], 'height' => found[2], 'query' => words)
  end
  values = values.except('width', 'height') if values.key?('upto')
  canonical = values.sort.map { |name, value| "#{name}=#{URI.encode_www_form_component(value).gsub('+', '%20').gsub('*', '%2A').gsub('%7E', '~')}" }.join('&')
  mac = OpenSSL::HMAC.digest('SHA256', Base64.urlsafe_decode64("#{secret[9, 43]}="), "image-redirect/v1\n#{id}\n#{expires}\n#{canonical}")
  signature = Base64.urlsafe_encode64(mac[0, 16], padding: false)
  "#{url}#{url.include?('?') ? '&' : '?'}signer=#{id}#{"&expires=#{expires}" unless expires.empty?}&signature=#{signature}"
end
