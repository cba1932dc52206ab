// Package signer signs an image URL of either form. The moment it ends, in Unix seconds, may be empty.
package signer

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
)

const names = " alt avoid color crop height label lang license onmiss pick provider query seed style upto variation visibility width "

var (
	extension = regexp.MustCompile(`(?i)\.(jpe?g|webp|avif|png|gif|svg|bmp|tif)$`)
	pathForm  = regexp.MustCompile(`(?s)/api/image/(\d+)x(\d+)(?:[-_+/ ](.*))?$`)
	separator = regexp.MustCompile(`[-_+/ ]+`)
	escaped   = regexp.MustCompile(`^(amp;)+`)
	short     = map[string]string{"q": "query", "w": "width", "h": "height"}
)

// Sign fails for a URL that cannot be read.
func Sign(address, id, secret, expires string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	given, err := url.ParseQuery(strings.ReplaceAll(parsed.RawQuery, ";", "%3B"))
	if err != nil {
		return "", err
	}
	values := url.Values{}
	for name, value := range given {
		name = escaped.ReplaceAllString(name, "")
		if full, isShort := short[name]; isShort {
			name = full
		}
		values[name] = value
	}
	if path := pathForm.FindStringSubmatch(extension.ReplaceAllString(parsed.Path, "")); path != nil {
		values.Set("width", path[1])
		values.Set("height", path[2])
		values.Set("query", strings.Trim(separator.ReplaceAllString(path[3], " "), " "))
	}
	for name := range values {
		if !strings.Contains(names, " "+name+" ") || values.Has("upto") && (name == "width" || name == "height") {
			values.Del(name)
		}
	}
	canonical := strings.ReplaceAll(values.Encode(), "+", "%20")
	key, err := base64.RawURLEncoding.DecodeString(secret[9:52])
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("image-redirect/v1\n" + id + "\n" + expires + "\n" + canonical))
	signed := address + "?"
	if strings.Contains(address, "?") {
		signed = address + "&"
	}
	if expires != "" {
		expires = "&expires=" + expires
	}
	return signed + "signer=" + id + expires + "&signature=" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16]), nil
}
