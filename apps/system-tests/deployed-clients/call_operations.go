// Calls every operation with a client that openapi-generator has generated for Go. Prints the requests that it has sent, as JSON.
// Arguments: the address of Quarry, the key, a file to upload. Standard input: the requests to send.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"regexp"

	quarry "github.com/quarry/client"
)

type request struct {
	ID         string            `json:"id"`
	Server     string            `json:"server"`
	Path       string            `json:"path"`
	Parameters map[string]string `json:"parameters"`
	Schema     string            `json:"schema"`
	Shape      string            `json:"shape"`
	Body       json.RawMessage   `json:"body"`
	IsForm     bool              `json:"isForm"`
}

type sent struct {
	Status int             `json:"status"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Query  string          `json:"query"`
	Body   json.RawMessage `json:"body,omitempty"`
	Text   string          `json:"text"`
}

// recorder sends requests, and keeps the last one with its response.
type recorder struct {
	last    sent
	hasBody bool
}

func (r *recorder) RoundTrip(outgoing *http.Request) (*http.Response, error) {
	r.last = sent{Method: outgoing.Method, Path: outgoing.URL.Path, Query: outgoing.URL.RawQuery}
	if r.hasBody && outgoing.Body != nil {
		body, err := io.ReadAll(outgoing.Body)
		if err != nil {
			return nil, err
		}
		r.last.Body = body
		outgoing.Body = io.NopCloser(bytes.NewReader(body))
	}
	response, err := http.DefaultTransport.RoundTrip(outgoing)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	r.last.Status, r.last.Text = response.StatusCode, string(text)
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, err
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

func main() {
	address, key, file := os.Args[1], os.Args[2], os.Args[3]
	var requests []request
	check(json.NewDecoder(os.Stdin).Decode(&requests))
	found := map[string]sent{}
	for _, one := range requests {
		found[one.ID] = call(one, address, key, file)
	}
	check(json.NewEncoder(os.Stdout).Encode(found))
}

func call(one request, address, key, file string) sent {
	records := &recorder{hasBody: one.Schema != ""}
	configuration := quarry.NewConfiguration()
	configuration.HTTPClient = &http.Client{Transport: records}
	configuration.Servers = quarry.ServerConfigurations{{URL: address + one.Server}}
	configuration.OperationServers = nil
	builder := findOperation(quarry.NewAPIClient(configuration), one.ID)
	arguments := []reflect.Value{reflect.ValueOf(context.WithValue(context.Background(), quarry.ContextAccessToken, key))}
	for _, match := range inPath.FindAllStringSubmatch(one.Path, -1) {
		arguments = append(arguments, parse(one.Parameters[match[1]], builder.Type().In(len(arguments))))
	}
	prepared := builder.Call(arguments)[0]
	if other, ok := one.Parameters["with"]; ok {
		prepared = set(prepared, "With", reflect.ValueOf(other))
	}
	if one.Schema != "" {
		body := reflect.New(prepared.MethodByName(one.Schema).Type().In(0))
		check(json.Unmarshal(one.Body, findShape(body, one).Interface()))
		prepared = set(prepared, one.Schema, body.Elem())
	}
	if one.IsForm {
		opened, err := os.Open(file)
		check(err)
		prepared = set(prepared, "File", reflect.ValueOf(opened))
	}
	prepared.MethodByName("Execute").Call(nil)
	return records.last
}

// findOperation returns the method of an operation, which belongs to the API of its tag.
func findOperation(client *quarry.APIClient, id string) reflect.Value {
	name := string(id[0]-'a'+'A') + id[1:]
	apis := reflect.ValueOf(client).Elem()
	for index := range apis.NumField() {
		if !apis.Type().Field(index).IsExported() {
			continue
		}
		if found := apis.Field(index).MethodByName(name); found.IsValid() {
			return found
		}
	}
	panic(fmt.Sprintf("expected a method %s of the client, found none", name))
}

// findShape returns the pointer to decode a body into: that of the chosen type of a union, or the body.
func findShape(body reflect.Value, one request) reflect.Value {
	if one.Shape == one.Schema {
		return body
	}
	chosen := body.Elem().FieldByName(one.Shape)
	chosen.Set(reflect.New(chosen.Type().Elem()))
	return chosen
}

func set(prepared reflect.Value, name string, value reflect.Value) reflect.Value {
	return prepared.MethodByName(name).Call([]reflect.Value{value})[0]
}

// parse converts the text of a parameter of a path to its type.
func parse(text string, kind reflect.Type) reflect.Value {
	value := reflect.New(kind)
	_, err := fmt.Sscan(text, value.Interface())
	check(err)
	return value.Elem()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
