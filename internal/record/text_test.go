package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		// No secrets.
		{"", ""},
		{"ls -la && rm -rf /tmp/x", "ls -la && rm -rf /tmp/x"},
		{"git commit -m 'password reset page'", "git commit -m 'password reset page'"},
		{"cd $PWD; PWD=/home/dev OLDPWD=/x ls", "cd $PWD; PWD=/home/dev OLDPWD=/x ls"},
		{"export GITHUB_TOKEN=$TOKEN", "export GITHUB_TOKEN=$TOKEN"},
		{`curl -H "Authorization: Bearer $TOKEN" x`, `curl -H "Authorization: [redacted:authorization]" x`},
		{"TOKEN=${TOKEN} make", "TOKEN=${TOKEN} make"},
		{"token: ${{ secrets.TOKEN }}", "token: ${{ secrets.TOKEN }}"},
		{"export TOKEN=$(cat ~/.netrc)", "export TOKEN=$(cat ~/.netrc)"},
		{"max_tokens = 4096, tokens: 5", "max_tokens = 4096, tokens: 5"},
		{"--- PASS: TestX (0.00s)", "--- PASS: TestX (0.00s)"},
		{"PASS: TestX", "PASS: TestX"},
		{"--token-file /x --password-file=/y", "--token-file /x --password-file=/y"},
		{"use secret::Secret; password::new()", "use secret::Secret; password::new()"},
		{"ssh://git@github.com/x http://localhost:8080/a@b", "ssh://git@github.com/x http://localhost:8080/a@b"},
		{"sha 3f786850e387550fdab836ed7e6dc881de23001b", "sha 3f786850e387550fdab836ed7e6dc881de23001b"},
		{"task-force-is-a-word-with-20-letters", "task-force-is-a-word-with-20-letters"},
		{"sk-learn-is-no-secret-key", "sk-learn-is-no-secret-key"},
		{"-----BEGIN PUBLIC KEY-----\nabc", "-----BEGIN PUBLIC KEY-----\nabc"},
		{"docker run -u 1000 -p 80:80 x", "docker run -u 1000 -p 80:80 x"},
		{"PUBLIC_KEY=4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c", "PUBLIC_KEY=4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c"},
		{"signal=abc; f(signal: hunter2) https://x/?signal=abc", "signal=abc; f(signal: hunter2) https://x/?signal=abc"},
		{"https://api.github.com/repos/x/y/webhooks/1234567890123456789012345/pings", "https://api.github.com/repos/x/y/webhooks/1234567890123456789012345/pings"},
		{"https://discord.com/developers/docs/resources/webhooks/x", "https://discord.com/developers/docs/resources/webhooks/x"},
		{"redis-cli -a $PW; ls -a x; unzip -l x -p y; ssh-keygen -N ''", "redis-cli -a $PW; ls -a x; unzip -l x -p y; ssh-keygen -N ''"},
		{"kubectl create configmap x --from-literal=k=v", "kubectl create configmap x --from-literal=k=v"},
		{"echo hi | sudo tee x; sudo -S ls", "echo hi | sudo tee x; sudo -S ls"},
		{"the machine needs a login and a password reset", "the machine needs a login and a password reset"},
		{"openssl req -key k.pem; vault login -method=oidc; http -a x", "openssl req -key k.pem; vault login -method=oidc; http -a x"},
		{"s.configurationManagerForX s.a1 dapi_v2_configuration_of_the_service_x", "s.configurationManagerForX s.a1 dapi_v2_configuration_of_the_service_x"},
		{"12:AAPL 12345678:AA", "12:AAPL 12345678:AA"},

		// Values after names of secrets are removed even if they are not secrets.
		{"func login(password: string, token: str)", "func login(password: [redacted:password], token: [redacted:token])"},
		{"password := getPassword(ctx)", "password := [redacted:password](ctx)"},
		{"token = process.env.TOKEN;", "token = [redacted:token];"},
		{"PRIMARY_KEY=id SORT_KEY=created_at; const cacheKey = userNameAndSessionId", "PRIMARY_KEY=[redacted:key] SORT_KEY=[redacted:key]; const cacheKey = [redacted:key]"},
		{"SSL_KEY=/etc/ssl/private/server-01.key", "SSL_KEY=[redacted:key]"},
		{"sort_key=name stripe_key=name hotKey: hunter2 MONKEY=hunter2 KEYS=a,b", "sort_key=[redacted:key] stripe_key=[redacted:key] hotKey: [redacted:key] MONKEY=[redacted:key] KEYS=a,b"},
		{"STRIPE_KEY=$STRIPE_KEY TLS_KEY=~/tls.pem TLS_KEY=server.key SSH_PUB_KEY=abc", "STRIPE_KEY=$STRIPE_KEY TLS_KEY=[redacted:key] TLS_KEY=[redacted:key] SSH_PUB_KEY=abc"},

		{"signingKey: hunter2", "signingKey: [redacted:key]"},
		{"masterkey=a authkey=b sshkey=c encryptionkey=d deploykey=e", "masterkey=[redacted:key] authkey=[redacted:key] sshkey=[redacted:key] encryptionkey=[redacted:key] deploykey=[redacted:key]"},
		{"SIGNING_KEY_V2=a MASTERKEY2=b authkey_prod=c AccountKeyB64=d", "SIGNING_KEY_V2=[redacted:key] MASTERKEY2=[redacted:key] authkey_prod=[redacted:key] AccountKeyB64=[redacted:key]"},
		{"sshkey_pub=a ssh-key-file=b monkey2=c primary_key_2=d", "sshkey_pub=a ssh-key-file=b monkey2=[redacted:key] primary_key_2=[redacted:key]"},

		{"xghp_abcdefghijklmnopqrstuvwx", "x[redacted:github-token]"},

		// Commands are preserved.
		{"PASSWORD=hunter2 rm -rf /", "PASSWORD=[redacted:password] rm -rf /"},
		{`mysql --password="a b" -e "drop table x"`, `mysql --password="[redacted:password]" -e "drop table x"`},
		{"mysql -uroot -phunter2 db", "mysql -uroot -p[redacted:password] db"},
		{"login --password hunter2 && rm -rf /", "login --password [redacted:password] && rm -rf /"},
		{`curl "https://x/?token=abc&n=1" && rm -rf "/"`, `curl "https://x/?token=[redacted:token]&n=1" && rm -rf "/"`},
		{`curl -su me:hunter2 https://x`, `curl -su me:[redacted:password] https://x`},
		{`curl -fsSLume:hunter2 https://x`, `curl -fsSLume:[redacted:password] https://x`},
		{`curl -u me:hunter2 https://x`, `curl -u me:[redacted:password] https://x`},
		{`curl -u "me:hunter 2" https://x`, `curl -u "me:[redacted:password]" https://x`},
		{`sshpass -p 'hunter 2' ssh x`, `sshpass -p '[redacted:password]' ssh x`},
		{`docker login -u me -p hunter2 x`, `docker login -u me -p [redacted:password] x`},
		{"git clone https://me:hunter2@host/x", "git clone https://me:[redacted:url-password]@host/x"},
		{"psql postgres://me:hun/ter2@host/db", "psql postgres://me:[redacted:url-password]@host/db"},
		{`curl -H "X-Api-Key: hunter2" https://x`, `curl -H "X-Api-Key: [redacted:key]" https://x`},
		{`curl -H 'Cookie: a=b; c=d' https://x`, `curl -H 'Cookie: [redacted:cookie]' https://x`},
		{`echo "password=" ; rm -rf "/"`, `echo "password=" ; rm -rf "/"`},
		{"echo password: a && rm -rf /", "echo password: [redacted:password] && rm -rf /"},
		{"kubectl create secret generic x --from-literal=password=hunter2", "kubectl create secret generic x --from-literal=password=[redacted:password]"},

		{"openssl rsa -passin pass:hunter2 -in a", "openssl rsa -passin [redacted:password] -in a"},
		{"git clone https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com/x/y", "git clone https://[redacted:github-token]@github.com/x/y"},
		{"git clone https://ghp_abcdefghijklmnopqrstuvwxyz0123456789:x@github.com/x/y", "git clone https://[redacted:github-token]:[redacted:url-password]@github.com/x/y"},
		{"OPENAI_KEY=4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c make", "OPENAI_KEY=[redacted:key] make"},
		{`stripeKey: "Zk3Qw9xPr71bVm2Lt8Yd0a"`, `stripeKey: "[redacted:key]"`},
		{"DB_PW=hunter2 PW=hunter3 x", "DB_PW=[redacted:password] PW=[redacted:password] x"},
		{"https://x.blob.core.windows.net/a?sv=2024&sig=Zk3Qw9x%2BPr71bVm2Lt8Yd0a%3D&se=1", "https://x.blob.core.windows.net/a?sv=2024&sig=[redacted:key]&se=1"},

		{"STRIPE_KEY=hunter2 make", "STRIPE_KEY=[redacted:key] make"},
		{"export OPENAI_KEY='abc 123'", "export OPENAI_KEY='[redacted:key]'"},
		{"FOO_KEY: hunter2", "FOO_KEY: [redacted:key]"},
		{"az storage blob list --sas 'https://x/c?sig=abc%2Bd%3D&sv=1' && ls", "az storage blob list --sas 'https://x/c?sig=[redacted:key]&sv=1' && ls"},
		{"curl -d @x https://discord.com/api/webhooks/123456789012345678/aBc-dEf_1 && ls", "curl -d @x https://[redacted:discord-webhook] && ls"},
		{"https://ptb.discord.com/api/v10/webhooks/123456789012345678/aBc?wait=true", "https://ptb.[redacted:discord-webhook]?wait=true"},
		{"mysql -ppw", "mysql -p[redacted:password]"},
		{"curl x; mysql -phunter2 db", "curl x; mysql -p[redacted:password] db"},
		{"login := <-response", "login := <-response"},
		{"ls `cursor-agent -p`. login", "ls `cursor-agent -p`. login"},
		{"redis-cli -h x -a hunter2 get x", "redis-cli -h x -a [redacted:password] get x"},
		{"kubectl create secret generic x --from-literal=api=hunter2", "kubectl create secret generic x --from-literal=api=[redacted:password]"},
		{"machine a.b login me password hunter2\nmachine b", "machine a.b login me password [redacted:password]\nmachine b"},
		{"htpasswd -nb me hunter2 && ls", "htpasswd -nb me [redacted:password] && ls"},
		{"zip -r -P hunter2 a.zip x; ls -P x", "zip -r -P [redacted:password] a.zip x; ls -P x"},
		{"authorization=token hunter2", "authorization=[redacted:authorization] [redacted:authorization]"},
		{"post https://hooks.slack.com/services/T0/B0/abc now", "post https://[redacted:slack-webhook] now"},

		{`echo "token": "$TOKEN" password=a && rm "/"`, `echo "token": "$TOKEN" password=[redacted:password] && rm "/"`},
		{`5" disk PASSWORD="hunter2" x`, `5" disk PASSWORD="[redacted:password]" x`},
		{"PASSWORD=[abc]def x", "PASSWORD=[redacted:password] x"},
		{"pass: hunter2\nuser: x", "pass: [redacted:password]\nuser: x"},

		// Files.
		{"password: correct horse\nuser: me", "password: [redacted:password]\nuser: me"},
		{"a:\n  password: |\n    one\n    two\n  b: c", "a:\n  password: [redacted:password]\n  b: c"},
		{"x = {\"password\": \"a\\\"b\", 'token': 'c'}", "x = {\"password\": \"[redacted:password]\", 'token': '[redacted:token]'}"},
		{`passwords = ["one", "two"]`, `passwords = [redacted:password]`},
		{`<Password>hunter2</Password>`, `<Password>[redacted:password]</Password>`},
		{`config["api_key"] = 'hunter2'`, `config["api_key"] = '[redacted:key]'`},
		{`API key: hunter2`, `API key: [redacted:key]`},
		{`args = ["--password", "hunter2"]`, `args = ["--password", "[redacted:password]"]`},
		{"if token == \"hunter2\" {", "if token == \"[redacted:token]\" {"},

		// Secrets with a known form.
		{"use AKIAIOSFODNN7EXAMPLE now", "use [redacted:aws-key] now"},
		{"x ghp_abcdefghijklmnopqrstuvwxyz0123456789 y", "x [redacted:github-token] y"},
		{`\nghp_abcdefghijklmnopqrstuvwxyz0123456789`, `\n[redacted:github-token]`},
		{"sk-ant-api03-abcdefgh_1 sk-abcdefghijklmnop1", "[redacted:api-key] [redacted:api-key]"},
		{"dapi0123456789abcdef0123456789abcdef x", "[redacted:databricks-token] x"},
		{"hvs.CAESIJ1b2C3d4E5f6G7h8 s.1b2C3d4E5f6G7h8I9j0K1l2M", "[redacted:vault-token] [redacted:vault-token]"},
		{"a\nbearer abcdefgh1", "a\nbearer [redacted:authorization]"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-d.", "[redacted:jwt]"},
		{"ghp_abcdefghij\\\nklmnopqrstuvwxyz rm", "[redacted:github-token] rm"},
		{"a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b", "a [redacted:private-key] b"},
		{"-----BEGIN PRIVATE KEY-----\nMII", "[redacted:private-key]"},
		{"MII\n-----END PRIVATE KEY-----\nx", "[redacted:private-key]\nx"},
	} {
		got, _ := Text(test.text)
		if got != test.want {
			t.Errorf("%q:\n got %q\nwant %q", test.text, got, test.want)
		}
		if again, kinds := Text(got); again != got || len(kinds) > 0 {
			t.Errorf("%q: again %q", got, again)
		}
	}
}

// spellings returns the forms of a secret after a name.
func spellings() []string {
	return []string{
		`NAME=SECRET`, `export NAME=SECRET`, `NAME='SECRET'`, `NAME="SECRET"`, `NAME = "SECRET"`, `NAME: SECRET`,
		`  NAME: "SECRET"`, `{"NAME":"SECRET"}`, `{"NAME": "SECRET", "x": 1}`, `{'NAME': 'SECRET'}`, `x["NAME"] = "SECRET"`,
		`--NAME SECRET`, `--NAME=SECRET`, `--NAME "SECRET"`, `<NAME>SECRET</NAME>`, `{\"NAME\": \"SECRET\"}`,
		`{\\\"NAME\\\": \\\"SECRET\\\"}`, `https://x/?NAME=SECRET&y=1`, `curl -d 'NAME=SECRET' x`, `NAME => 'SECRET'`, `NAME := "SECRET"`,
		"NAME=\\\nSECRET", "NAME:\n  \"SECRET\"", `f(NAME="SECRET")`, `["--NAME", "SECRET"]`, `bash -c "NAME=SECRET x"`,
		`bash -c "NAME='SECRET' x"`, `bash -c "NAME=\"SECRET\" x"`, `{"a": [{"NAME": ["SECRET"]}]}`, "don't NAME=SECRET",
	}
}

func secretNames() []string {
	return []string{
		"password", "PASSWORD", "db_password", "DbPassword", "passwd", "passphrase", "secret", "client-secret", "aws_secret_access_key",
		"token", "ACCESS_TOKEN", "refreshToken", "api_key", "apiKey", "X-API-KEY", "x-apikey", "private_key", "privateKey", "authorization",
		"cookie", "Set-Cookie", "credentials", "DB_PASS", "mysql_pwd", "_authToken",
	}
}

func TestNoSecretSurvivesItsName(t *testing.T) {
	secrets := []string{"hunter2", "Tr0ub4dor-3", "p@ss.w0rd/+=", "a-b_c~d", "日本語かな", "x[y]z{1}"}
	for i, name := range secretNames() {
		for j, spelling := range spellings() {
			for k, secret := range secrets {
				if i > 0 && (i+j)%len(secrets) != k {
					continue
				}
				survives(t, strings.NewReplacer("NAME", name, "SECRET", secret).Replace(spelling), secret)
			}
		}
	}
}

// survives reports an error if a secret is left in a text, in every position that a text can
// have in an event.
func survives(t *testing.T, text, secret string) {
	t.Helper()
	quoted, _ := json.Marshal(text)
	twice, _ := json.Marshal(string(quoted))
	for _, event := range []string{
		fmt.Sprintf(`{"tool_input": {"command": %s}}`, quoted),
		fmt.Sprintf(`{"a": [[{"b": %s}]]}`, quoted),
		fmt.Sprintf(`{"text": %s}`, twice),
		fmt.Sprintf(`{%s: 1}`, quoted),
	} {
		got := redact(t, event)
		if strings.Contains(got, secret) {
			t.Errorf("%s\nleaves %s", event, got)
		}
	}
}

// redact returns the redacted event. It checks that the result is JSON, and that redaction is
// idempotent.
func redact(t *testing.T, event string) string {
	t.Helper()
	got := encoded(t, event)
	if again := encoded(t, got); again != got {
		t.Errorf("%s\nagain %s", got, again)
	}
	return got
}

func encoded(t *testing.T, event string) string {
	t.Helper()
	text, err := Record{Trigger: "pre-tool-call"}.Encode([]byte(event), len(event))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := Decode(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if r.LeftOut != "" {
		return "{}"
	}
	return string(r.Event)
}
